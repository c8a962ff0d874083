//! What these tests need of Markdown: fenced blocks, spans of code, and links.

/// A fenced block.
pub(crate) struct Block {
    /// The word after the fence.
    pub(crate) kind: String,
    /// Its lines.
    pub(crate) lines: Vec<String>,
}

/// A text taken apart: its fenced blocks, and the lines outside of them.
fn parts(text: &str) -> (Vec<Block>, String) {
    let (mut blocks, mut rest, mut open) = (Vec::new(), String::new(), None);
    for line in text.lines() {
        let fence = line.strip_prefix("```");
        open = match (open, fence) {
            (None, Some(kind)) => Some(Block {
                kind: kind.trim().to_owned(),
                lines: Vec::new(),
            }),
            (Some(block), Some(_)) => {
                blocks.push(block);
                None
            }
            (Some(mut block), None) => {
                block.lines.push(line.to_owned());
                Some(block)
            }
            (None, None) => {
                rest.push_str(line);
                rest.push('\n');
                None
            }
        };
    }
    assert!(open.is_none(), "a fenced block is not closed");
    (blocks, rest)
}

/// The fenced blocks of a text.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    parts(text).0
}

/// The spans of code outside of fenced blocks, with each break of a line as a space.
pub(crate) fn code_spans(text: &str) -> Vec<String> {
    let (_, rest) = parts(text);
    let words = |span: &str| span.split_whitespace().collect::<Vec<_>>().join(" ");
    rest.split('`').skip(1).step_by(2).map(words).collect()
}

/// The targets of links outside of fenced blocks.
pub(crate) fn links(text: &str) -> Vec<String> {
    let (_, rest) = parts(text);
    let targets = rest.split("](").skip(1);
    let target = |it: &str| it.split_once(')').map(|(target, _)| target.to_owned());
    targets.filter_map(target).collect()
}
