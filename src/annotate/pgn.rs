//! Annotated games in Portable Game Notation.

use super::{Annotated, AnnotatedMove, Assessment};
use crate::core::score;
use crate::pgn::{
    GAME_TYPE, MoveNumbers, OPTIONS, PgnGame, PgnMove, STANDARD, UNFINISHED, VARIANT, colours, folded, game_type,
    has_letters, known_result, nag, numbered, variant, variation, write, write_moves, write_tag,
};
use std::io::{self, Write};

/// The loss from which a comment says what was better, centi-units: half a pawn.
const INACCURATE: i32 = 50;

/// The maximum length of the variation with the best line, plies.
const LINE: usize = 10;

/// The words between a better move and the loss.
const BETTER: &str = "was better by";

/// The words between a good move and the lead.
const BEST: &str = "was best by";

/// The beginning of the command for a score.
const EVAL: &str = "[%eval ";

/// The glyphs that assess a move: `!`, `?`, `!!`, `??`, `!?`, `?!`, and those of forced and only moves.
const ASSESSMENT_GLYPHS: [u16; 8] = [1, 2, 3, 4, 5, 6, 7, 8];

/// The tags of the summaries, after the colour.
const TAGS: [&str; 2] = ["Accuracy", "AverageLoss"];

impl AnnotatedMove {
    /// Returns the comment: the score for the first player as a command that lichess.org and python-chess read, and what
    /// was better or how much worse the next best move is; with the word of the assessment if the glyph is ours. It has no
    /// score for a move that wins at once.
    fn comment(&self, has_glyph: bool) -> String {
        let score = if self.player == 1 { self.score } else { -self.score };
        // The command is about the position after the move: a mate is one ply nearer there.
        let mut comment = match score::distance(score).map(|plies| plies.abs() - 1) {
            Some(..=0) => return String::new(),
            Some(plies) => format!("{EVAL}#{},{}]", score.signum() * ((plies + 1) / 2), self.depth),
            None => format!("{EVAL}{},{}]", units(score), self.depth),
        };
        let word = self.assessment.filter(|_| has_glyph).map(|assessment| format!("{}: ", assessment.word()));
        let san = |san: &Option<String>, mv: &String| san.as_ref().unwrap_or(mv).clone();
        if self.mv != self.best_move && (self.loss >= INACCURATE || word.is_some()) {
            let best = san(&self.best_san, &self.best_move);
            comment += &format!(" {}{best} {BETTER} {}", word.unwrap_or_default(), units(self.loss));
        } else if let (Some(word), Some(lead)) = (word, self.lead) {
            comment += &format!(" {word}{} {BEST} {}", san(&self.san, &self.mv), units(lead));
        }
        comment
    }
}

/// Returns a number of centi-units in units.
fn units(score: i32) -> String {
    format!("{:.2}", f64::from(score) / f64::from(score::UNIT))
}

impl Annotated {
    /// Writes the game with its own tags, comments, glyphs and variations, and the annotations of its moves: glyphs, the
    /// score, what was better, and the best line as a variation. A glyph of the author that assesses the move stays
    /// instead of ours. What an earlier annotation has put there is replaced.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: &mut impl Write, game: &PgnGame) -> io::Result<()> {
        let summaries = self.summary_tags();
        let is_summary = |name: &str| {
            let ours = colours(&self.setup).into_iter().flat_map(|colour| TAGS.map(|tag| format!("{colour}{tag}")));
            ours.into_iter().any(|own| own.eq_ignore_ascii_case(name))
        };
        let has_letters = game.tag(GAME_TYPE).is_some_and(has_letters);
        let start = if has_letters { self.setup.board(game.position()).ok().map(|board| board.text()) } else { None };
        // Options that the caller gives are among those of the game.
        let mut options = write::options(&self.setup);
        for (name, value) in game.tags.iter().filter(|(name, _)| !is_summary(name)) {
            if name.eq_ignore_ascii_case(OPTIONS) {
                options.take().map_or(Ok(()), |options| write_tag(out, OPTIONS, &options))?;
                continue;
            }
            let value = match name.to_ascii_lowercase().as_str() {
                // The result behind the moves, where that of the tag is none of PGN.
                "result" if known_result(value) == UNFINISHED => game.result,
                // The notation of the moves below.
                "format" if self.setup.row().name == "xiangqi" => "WXF",
                "gametype" if has_letters => game_type(self.setup.row().name).unwrap_or(value),
                "fen" if let Some(start) = &start => start,
                _ => value,
            };
            write_tag(out, name, value)?;
        }
        // No tag says that the rules are not the usual ones of chess, or what the caller has said of them.
        if variant(&self.setup) != STANDARD && [VARIANT, GAME_TYPE].iter().all(|name| game.tag(name).is_none()) {
            write_tag(out, VARIANT, variant(&self.setup))?;
        }
        options.map_or(Ok(()), |options| write_tag(out, OPTIONS, &options))?;
        if game.tag("Annotator").is_none() {
            write_tag(out, "Annotator", concat!("Secateurs ", env!("CARGO_PKG_VERSION")))?;
        }
        summaries.iter().try_for_each(|(name, value)| write_tag(out, name, value))?;
        let skipped = game.moves.len() - self.moves.len();
        let mut moves = game.moves.clone();
        let mut board = self.setup.board(game.position()).ok();
        let numbers = MoveNumbers::new(&self.setup, board.as_deref(), game.position());
        for (ply, written) in moves.iter_mut().enumerate() {
            if let Some(found) = ply.checked_sub(skipped).and_then(|at| self.moves.get(at)) {
                let line = |line: &[String]| Some(variation(board.as_deref()?, numbers, ply, line));
                annotate(written, found, line);
            }
            board = board.and_then(|mut board| board.play(&written.mv).is_ok().then_some(board));
        }
        write_moves(out, &self.setup, game.position(), &game.comment, &moves, game.result)
    }

    /// Returns the tags with the accuracy and the average loss of the players that have moved.
    fn summary_tags(&self) -> Vec<(String, String)> {
        let tags = colours(&self.setup).into_iter().zip(self.summaries()).flat_map(|(colour, summary)| {
            let values = [summary.accuracy, summary.average_loss];
            TAGS.into_iter()
                .zip(values)
                .filter_map(move |(tag, value)| Some((format!("{colour}{tag}"), format!("{:.1}", value?))))
        });
        tags.collect()
    }
}

/// Annotates a move; `variation` writes a line from the position before it.
fn annotate(written: &mut PgnMove, found: &AnnotatedMove, variation: impl Fn(&[String]) -> Option<String>) {
    written.mv.clone_from(&found.mv);
    let earlier = without_own(written);
    let has_glyph = !written.nags.iter().any(|nag| ASSESSMENT_GLYPHS.contains(nag));
    let comment = found.comment(has_glyph);
    // What the author says in our words stands first: behind our score it would be ours.
    let parts = if sentence(&earlier).is_some() { [earlier, comment] } else { [comment, earlier] };
    written.comment = parts.join(" ").trim().to_owned();
    let Some(assessment) = found.assessment else { return };
    if has_glyph {
        nag(assessment.glyph()).into_iter().for_each(|nag| written.nags.insert(0, nag));
    }
    let best = found.best_san.as_ref().unwrap_or(&found.best_move);
    let is_best = |known: &String| first_move(known).is_some_and(|mv| bare(mv) == bare(best));
    // With a glyph of ours the next annotation knows which variation is ours: the first one.
    if found.mv != found.best_move && (has_glyph || !written.variations.iter().any(is_best)) {
        let line = variation(&found.pv[..found.pv.len().min(LINE)]);
        line.into_iter().for_each(|line| written.variations.insert(0, line));
    }
}

/// Returns a move without the signs behind it.
fn bare(mv: &str) -> &str {
    mv.trim_end_matches(['!', '?', '+', '#'])
}

/// Returns the first move of a variation.
fn first_move(variation: &str) -> Option<&str> {
    // A number without a period may be a move.
    variation.split(' ').map(|word| numbered(word).1).find(|mv| !mv.is_empty())
}

/// Returns the comment of the author on a move.
pub(super) fn own_words(written: &PgnMove) -> String {
    without_own(&mut written.clone())
}

/// Removes the glyph and the variation of an earlier annotation, and returns the comment without its score and sentence.
fn without_own(written: &mut PgnMove) -> String {
    let comment = std::mem::take(&mut written.comment);
    let (mut text, mut rest) = (String::new(), &*comment);
    while let Some((before, (score, after))) = rest.split_once(EVAL).and_then(|(a, b)| Some((a, b.split_once(']')?))) {
        text.extend([before, " "]);
        rest = after;
        // Other commands may stand between.
        while let Some((command, after)) = rest.split_once(']').filter(|(command, _)| is_command(command)) {
            text.extend([command, "]"]);
            rest = after;
        }
        // Our scores have their depth.
        if let Some(Sentence { assessment, better, rest: after }) = sentence(rest).filter(|_| score.contains(',')) {
            rest = after;
            if let Some(assessment) = assessment {
                let own = nag(assessment.glyph());
                written.nags.retain(|nag| Some(*nag) != own);
                let is_ours =
                    |first: &String| better.is_some() && first_move(first) == better && !first.contains(['{', '(']);
                if written.variations.first().is_some_and(is_ours) {
                    written.variations.remove(0);
                }
            }
        }
    }
    folded(&(text + rest))
}

/// Whether a text is a command but for its bracket, and no score.
fn is_command(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("[%") && !text.starts_with(EVAL)
}

/// A sentence of a comment, and the text after it.
struct Sentence<'a> {
    assessment: Option<Assessment>,
    /// The move that was better; `None` if the move played was the best.
    better: Option<&'a str>,
    rest: &'a str,
}

/// Reads `Mistake: M was better by N.NN`, with or without the word of an assessment, at the beginning of a text.
fn sentence(text: &str) -> Option<Sentence<'_>> {
    let text = text.trim_start();
    let word =
        |assessment: &Assessment| text.strip_prefix(assessment.word()).is_some_and(|rest| rest.starts_with(": "));
    let assessment = Assessment::ALL.into_iter().find(word);
    let text = assessment.map_or(text, |assessment| &text[assessment.word().len() + 2..]);
    let (mv, rest) = text.split_once(' ')?;
    let (better, rest) = match rest.strip_prefix(BETTER) {
        Some(rest) => (Some(mv), rest),
        None => (None, rest.strip_prefix(BEST)?),
    };
    let rest = rest.strip_prefix(' ')?;
    let (number, rest) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
    is_loss(number).then_some(Sentence { assessment, better, rest })
}

/// Returns whether a word is a number with two decimals.
fn is_loss(word: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    word.split_once('.')
        .is_some_and(|(whole, part)| !whole.is_empty() && digits(whole) && part.len() == 2 && digits(part))
}
