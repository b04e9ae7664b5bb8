//! placeholder
#![allow(clippy::print_stdout)]
use secateur::core::*; use secateur::registry; use secateur::search::Table; use std::sync::Arc;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let row = registry::find(&a[1]).unwrap();
    let mut o = row.defaults();
    for kv in &a[4..] { let (k,v)=kv.split_once('=').unwrap(); o.set(k,v).unwrap(); }
    let b = if a[2]=="startpos" { row.start(&o) } else { row.parse(&o,&a[2]) };
    let b = match b { Ok(b)=>b, Err(e)=>{println!("{e}");return;} };
    print!("{}", b.draw());
    let mut e = b.engine(Arc::new(Table::new(256).unwrap()));
    let r = e.search(&Limits::depth(a[3].parse().unwrap()), &StopFlag::new(), &mut |r| println!("{} {} {:?} n={} {:?} nps={} hf={} lo={} hi={} {}", r.depth, r.score, r.bound, r.nodes, r.time, r.nps(), r.hashfull, r.fails_low, r.fails_high, r.pv.join(" ")));
    println!("{:?} {}", r.best(), r.nps());
}
