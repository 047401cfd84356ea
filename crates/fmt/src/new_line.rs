//! The indentation of a line that has just been begun.

use tosca_parse_engine::ard::Document;

use super::Options;
use super::lex::{Kind, column, line_before, line_end, line_start};
use super::walk::{self, Token};

/// The spaces between a dash and the content of its item.
const AFTER_DASH: usize = 2;

/// Returns the column of the first token on the line that contains `at`, which is blank, judging by the line before it;
/// `None` if this is unknown, or if the line is part of a scalar or of brackets.
pub(crate) fn indentation(document: &Document, at: usize, options: &Options) -> Option<usize> {
    let text = document.text();
    let new = line_start(text, at);
    let start = line_before(text, new)?;
    let (tokens, _) = walk::tokens(document, options, None).ok()?;
    let before = tokens.partition_point(|token| token.start < new);
    let first = tokens.partition_point(|token| token.start < start);
    let depth = |tokens: &[Token]| {
        let count = |kind: Kind| tokens.iter().filter(|token| token.kind == kind).count();
        count(Kind::Open) - count(Kind::Close)
    };
    let line: Vec<Token> = tokens[first..before].iter().copied().filter(|token| !token.is_break()).collect();
    let is_continued = tokens[..first].last().is_some_and(|token| token.end > start && !token.is_break());
    // The end of brackets that other lines begin tells nothing about the entry.
    if is_continued || depth(&tokens[..first]) > 0 || depth(&tokens[..before]) > 0 {
        return None;
    }
    let column_of = |token: &Token| column(text, token.start);
    let dashes = line.iter().take_while(|token| token.kind == Kind::Dash).count();
    let dash = line[..dashes].last().map(column_of);
    let own = column_of(line.get(dashes).or(line.last())?);
    let mut outside = line[dashes..].iter().take_while(|token| token.kind != Kind::Open);
    let has_key = outside.any(|token| token.kind == Kind::Colon);
    let entry = dash.filter(|_| !has_key).unwrap_or(own);
    let below = if has_key { own + usize::from(options.indent) } else { dash? + AFTER_DASH };
    let content = line.iter().rev().find(|token| token.kind != Kind::Comment).map(|token| token.kind);
    match content {
        None => Some(own),
        Some(Kind::Question | Kind::Marker | Kind::Directive) => None,
        Some(Kind::Dash | Kind::Colon | Kind::Property) => {
            // The first existing line below the key determines the column of all others.
            let next = tokens[before..].iter().find(|token| !matches!(token.kind, Kind::Break | Kind::Comment));
            let column = next.map(|next| (column_of(next), next.kind == Kind::Dash && has_key));
            Some(
                column
                    .filter(|(column, is_item)| *column > entry || *is_item && *column == entry)
                    .map_or(below, |(column, _)| column),
            )
        }
        Some(Kind::Block) => {
            let content = text[new..].trim_start_matches([' ', '\t', '\n', '\r']);
            let is_inside = |token: &Token| token.kind == Kind::Block && text.len() - content.len() < token.end;
            (!line.iter().any(is_inside)).then_some(below)
        }
        Some(_) => Some(entry),
    }
    .filter(|_| text[new..line_end(text, at)].trim_matches([' ', '\t']).is_empty())
}
