// Elements from data. Text goes in as text nodes only: labels, reasons and messages are written by
// others, and nothing here can turn them into markup.

const SVG = 'http://www.w3.org/2000/svg';

function put(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
  else if (name === 'class') element.setAttribute('class', value);
  else if (name === 'style')
    for (const [key, it] of Object.entries(value)) element.style.setProperty(key, it);
  else if (name === 'value' && 'value' in element) element.value = value;
  else if (name === 'checked') element.checked = Boolean(value);
  else element.setAttribute(name, value === true ? '' : String(value));
}

/** Adds children: elements, texts, numbers, lists of them; null and false are left out. */
export function append(element, ...children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) put(element, name, value);
  // A select takes its value only once its options are there.
  append(element, children);
  if (attributes?.value !== undefined && element.tagName === 'SELECT')
    element.value = attributes.value;
  return element;
}

/** An HTML element: `h('button', {class: 'quiet', onclick}, 'Pause')`. */
export const h = (tag, attributes, ...children) =>
  build(document.createElement(tag), attributes, children);

/** An SVG element. */
export const s = (tag, attributes, ...children) =>
  build(document.createElementNS(SVG, tag), attributes, children);

/** Puts other children into an element. */
export function fill(element, ...children) {
  element.replaceChildren();
  return append(element, ...children);
}

/** Sets an element's text only where it changed, so that readers are not told the same again. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Whether a key press is meant for what has the focus, and not for the page. */
export function isTyping(event) {
  const { target } = event;
  return (
    target instanceof Element && target.matches('input:not([type=checkbox]), textarea, select')
  );
}
