//! Commands as words: none is ever given to a shell.

/// The words of `text`, split at blanks; within ' or " blanks stay. None where a quote is not closed.
pub fn split(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let (mut word, mut quote): (Option<String>, Option<char>) = (None, None);
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// A line that a shell splits into exactly these words.
pub fn quoted<T: AsRef<str>>(words: &[T]) -> String {
    words.iter().map(|word| quote(word.as_ref())).collect::<Vec<_>>().join(" ")
}

fn quote(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=+,./:@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quotes_keep_words_together() {
        assert_eq!(split(" mpirun  -np {np} ").unwrap(), ["mpirun", "-np", "{np}"]);
        assert_eq!(split(r#"sh -c 'a "b" c' "" x'y'z"#).unwrap(), ["sh", "-c", "a \"b\" c", "", "xyz"]);
        assert_eq!(split("a 'b"), None);
    }

    #[test]
    fn only_what_needs_quotes_gets_them() {
        assert_eq!(
            quoted(&["mpirun", "-w=1k", "a b", "it's", "", "$x", "{np}"]),
            r"mpirun -w=1k 'a b' 'it'\''s' '' '$x' '{np}'"
        );
    }

    proptest! {
        #[test]
        fn what_is_quoted_is_split_again(words in prop::collection::vec("[^']{0,12}", 0..6)) {
            prop_assert_eq!(split(&quoted(&words)), Some(words));
        }

        #[test]
        fn no_text_panics(text in ".*") {
            let _ = split(&text);
        }
    }
}
