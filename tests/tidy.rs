//! Tidiness of the house.
