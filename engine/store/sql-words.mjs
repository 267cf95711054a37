/**
 * Words of SQL that are no names of tables and columns in statements, which write all names without
 * quotes: those that DuckDB calls reserved or type_function (`duckdb_keywords()`). Programs that
 * write a table's declaration read them, too, before packages are there.
 */
export const SQL_WORDS = new Set(
  (
    "all analyse analyze and anti any array as asc asof asymmetric at authorization binary both by " +
    "case cast check collate collation column columns concurrently constraint create cross default " +
    "deferrable desc describe distinct do else end except false fetch for foreign freeze from full " +
    "generated glob group having ilike in initially inner intersect into is isnull join lambda " +
    "lateral leading left like limit map natural not notnull null offset on only or order outer " +
    "overlaps pivot pivot_longer pivot_wider placing positional primary qualify references " +
    "returning right select semi show similar some struct summarize symmetric table tablesample " +
    "then to trailing true try_cast union unique unpack unpivot using variadic verbose when where " +
    "window with"
  ).split(" ")
)
