//! The same statement on one of ten tables: its text, and so its type, has the number in it.

macro_rules! on_table {
    ($table:expr, $run:ident!($($argument:expr),*)) => {
        match $table {
            1 => $run!(1, $($argument),*),
            2 => $run!(2, $($argument),*),
            3 => $run!(3, $($argument),*),
            4 => $run!(4, $($argument),*),
            5 => $run!(5, $($argument),*),
            6 => $run!(6, $($argument),*),
            7 => $run!(7, $($argument),*),
            8 => $run!(8, $($argument),*),
            9 => $run!(9, $($argument),*),
            _ => $run!(10, $($argument),*),
        }
    };
}

/// Of the first two only: statements as text are needed for no more, and each is compiled.
macro_rules! on_first_table {
    ($table:expr, $run:ident!($($argument:expr),*)) => {
        match $table {
            1 => $run!(1, $($argument),*),
            2 => $run!(2, $($argument),*),
            table => anyhow::bail!("as text there are tables 1 and 2, not {table}"),
        }
    };
}
