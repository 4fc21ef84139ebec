//! The twelve experiments, with what they came to in 2005. C11 is the environment of a report, C12 the counters of every run.

use std::time::Duration;

use super::{Api, Background, C, Commit, Engine, Link, Mix, Op};

/// Runs that are compared with each other.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// `C1` to `C10`.
    pub id: &'static str,
    /// What was found in 2005.
    pub published: &'static str,
    /// What is run.
    pub runs: Vec<C>,
    /// What is divided by what.
    pub ratios: Vec<Ratio>,
}

/// Operations a second of one run by those of another.
#[derive(Clone, Debug)]
pub struct Ratio {
    /// In words.
    pub what: String,
    /// The one.
    pub of: C,
    /// The other.
    pub to: C,
    /// The same in 2005, as far as it was told as a number.
    pub published: Option<f64>,
}

const OPS: [Op; 4] = [Op::Insert, Op::SelectPk, Op::UpdatePk4, Op::DeletePk];

impl Experiment {
    fn new(id: &'static str, published: &'static str) -> Self {
        Self {
            id,
            published,
            runs: Vec::new(),
            ratios: Vec::new(),
        }
    }

    fn run(&mut self, c: C) {
        if !self.runs.contains(&c) {
            self.runs.push(c);
        }
    }

    /// Runs both and divides the one by the other.
    fn ratio(&mut self, what: impl Into<String>, of: C, to: C, published: Option<f64>) {
        self.run(of);
        self.run(to);
        self.ratios.push(Ratio {
            what: what.into(),
            of,
            to,
            published,
        });
    }
}

/// All of them, each run with so many operations.
pub fn all(rows: u32) -> Vec<Experiment> {
    let base = C {
        n: rows,
        flush_log: 0,
        ..C::default()
    };
    vec![
        operations(base),
        cache(base),
        cache_that_hits(base),
        commit(
            "C4",
            1,
            "autocommit over 200 times slower",
            Some(200.0),
            base,
        ),
        commit(
            "C5",
            0,
            "without a flush autocommit becomes usable",
            None,
            base,
        ),
        engines(base),
        under_load(base),
        ten_tables(base),
        links(base),
        apis(base),
    ]
}

fn operations(base: C) -> Experiment {
    let mut experiment =
        Experiment::new("C1", "3,000-6,000 operations/s; insert faster than select");
    for op in OPS {
        experiment.run(C { op, ..base });
    }
    let of = |op| C { op, ..base };
    experiment.ratio("insert / select", of(Op::Insert), of(Op::SelectPk), None);
    experiment
}

fn cache(base: C) -> Experiment {
    let mut experiment = Experiment::new("C2", "a cache that never hits costs about 40 %");
    let with = |on| C {
        cache: Some(on),
        api: Api::Text,
        ..base
    };
    experiment.ratio(
        "cache on / off, no hits",
        with(true),
        with(false),
        Some(0.6),
    );
    experiment
}

fn cache_that_hits(base: C) -> Experiment {
    let mut experiment = Experiment::new("C3", "the cache helps in this ideal case");
    let with = |on| C {
        cache: Some(on),
        api: Api::Text,
        times: 5,
        ..base
    };
    experiment.ratio(
        "cache on / off, each row 5 times",
        with(true),
        with(false),
        None,
    );
    experiment
}

fn commit(
    id: &'static str,
    flush_log: u8,
    published: &'static str,
    ratio: Option<f64>,
    base: C,
) -> Experiment {
    let mut experiment = Experiment::new(id, published);
    let with = |commit| C {
        op: Op::Insert,
        flush_log,
        commit,
        ..base
    };
    experiment.ratio(
        "one transaction / autocommit",
        with(Commit::OneTransaction),
        with(Commit::Auto),
        ratio,
    );
    experiment.run(with(Commit::Every(1000)));
    experiment
}

fn engines(base: C) -> Experiment {
    let mut experiment = Experiment::new("C6", "about equal");
    for op in OPS {
        for commit in [Commit::Auto, Commit::OneTransaction] {
            let on = |engine| C {
                op,
                commit,
                engine,
                ..base
            };
            let what = format!("MyISAM / InnoDB, {op:?}, {commit:?}");
            experiment.ratio(what, on(Engine::MyIsam), on(Engine::InnoDb), Some(1.0));
        }
        experiment.run(C {
            op,
            engine: Engine::Aria,
            ..base
        });
    }
    experiment
}

fn under_load(base: C) -> Experiment {
    let mut experiment = Experiment::new(
        "C7",
        "MyISAM collapses under mixed load; InnoDB degrades about linearly",
    );
    for engine in [Engine::MyIsam, Engine::InnoDb] {
        let alone = C { engine, ..base };
        for (mix, every) in [
            (Mix::Read, 10),
            (Mix::Read, 1),
            (Mix::ReadWrite, 10),
            (Mix::ReadWrite, 1),
        ] {
            for tasks in [10, 50, 100] {
                let every = Duration::from_millis(every);
                let background = Some(Background { tasks, mix, every });
                let what = format!("{engine:?}, {tasks} {mix:?} every {every:?} / alone");
                experiment.ratio(
                    what,
                    C {
                        background,
                        ..alone
                    },
                    alone,
                    None,
                );
            }
        }
    }
    experiment
}

fn ten_tables(base: C) -> Experiment {
    let mut experiment = Experiment::new("C8", "InnoDB better under load");
    let background = Some(Background {
        tasks: 10,
        mix: Mix::Read,
        every: Duration::from_millis(5),
    });
    for op in OPS {
        let on = |engine| C {
            op,
            engine,
            background,
            tables: 10,
            ..base
        };
        let what = format!("MyISAM / InnoDB, 10 tables under load, {op:?}");
        experiment.ratio(what, on(Engine::MyIsam), on(Engine::InnoDb), None);
    }
    experiment
}

fn links(base: C) -> Experiment {
    let mut experiment = Experiment::new(
        "C9",
        "network 3-4 times, with reconnecting 7-8 times slower than local (another machine; ours is loopback)",
    );
    for op in [Op::SelectPk, Op::UpdatePk4] {
        let by = |link| C { op, link, ..base };
        let (unix, tcp, again) = (by(Link::Unix), by(Link::Tcp), by(Link::TcpReconnect));
        experiment.ratio(format!("Unix / TCP, {op:?}"), unix, tcp, Some(3.5));
        experiment.ratio(
            format!("Unix / reconnecting, {op:?}"),
            unix,
            again,
            Some(7.5),
        );
    }
    experiment
}

fn apis(base: C) -> Experiment {
    let mut experiment = Experiment::new(
        "C10",
        "prepare each: slower than text; prepare once: about 30 % faster",
    );
    for op in OPS {
        let by = |api| C {
            op,
            api,
            tables: 2,
            ..base
        };
        let text = by(Api::Text);
        experiment.ratio(
            format!("prepare each / text, {op:?}"),
            by(Api::PrepareEach),
            text,
            None,
        );
        experiment.ratio(
            format!("prepare once / text, {op:?}"),
            by(Api::PrepareOnce),
            text,
            Some(1.3),
        );
    }
    experiment
}

#[cfg(test)]
mod tests {
    use super::all;

    #[test]
    fn every_ratio_has_its_runs_and_no_run_is_there_twice() {
        for experiment in all(100) {
            for ratio in &experiment.ratios {
                for c in [ratio.of, ratio.to] {
                    let count = experiment.runs.iter().filter(|one| **one == c).count();
                    assert_eq!(count, 1, "{}: {c}", experiment.id);
                }
            }
        }
    }
}
