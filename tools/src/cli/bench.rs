//! `secateurs bench`: the deterministic node count.

use super::output::Output;
use super::{Failure, Status};
use secateurs::bench::{self, BenchLine, BenchTotal};
use secateurs::core::{StopFlag, micros, nps};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;

/// The arguments of `bench`.
#[derive(clap::Args)]
#[command(
    after_help = "JSON: a line for each row: game, position, options, depth, nodes, time_us; at the end nodes, time_us, nps."
)]
pub struct BenchArgs {
    /// Print a JSON object per line
    #[arg(short, long)]
    json: bool,
}

/// Prints each row when it is done, and `N nodes M nps` at the end.
pub(super) fn run(args: &BenchArgs, out: &mut Output<'_>) -> Result<Status, Failure> {
    let stop = StopFlag::new();
    let mut written = Ok(());
    let total = bench::run(&stop, &mut |line| {
        written = if args.json { out.json(&row(line)) } else { writeln!(out, "{line}") };
        if written.is_err() {
            stop.raise();
        }
    })?;
    written?;
    match total {
        Some(BenchTotal { nodes, time }) if args.json => {
            out.json(&json!({"nodes": nodes, "time_us": micros(time), "nps": nps(nodes, time)}))?;
        }
        Some(total) => writeln!(out, "{total}")?,
        None => {}
    }
    Ok(Status::Done)
}

/// Returns a row as JSON.
fn row(BenchLine { game, row, report }: &BenchLine) -> Value {
    let options: BTreeMap<_, _> = row.options.iter().copied().collect();
    let (nodes, time_us) = (report.nodes, micros(report.time));
    json!({
        "game": game, "position": row.position, "options": options, "depth": row.depth, "nodes": nodes, "time_us": time_us
    })
}
