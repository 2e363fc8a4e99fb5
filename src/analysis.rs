//! What records come to: beside each other, against bounds, over clients and tasks. Pure.
