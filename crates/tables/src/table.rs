//! The tables of an index.

/// The description of a table.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// The name.
    pub name: &'static str,
    /// The columns, in order.
    pub columns: &'static [Column],
}

/// The description of a column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The name.
    pub name: &'static str,
    /// The type of the values.
    pub kind: ColumnKind,
    /// Whether values may be missing.
    pub is_nullable: bool,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Strings.
    Text,
    /// 64-bit integers.
    Integer,
    /// Booleans; in `SQLite`, 0 and 1.
    Boolean,
}

/// A value of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// No value.
    Null,
    /// A string.
    Text(&'a str),
    /// An integer.
    Integer(i64),
    /// A boolean.
    Boolean(bool),
}

/// A row of a table.
pub trait Row {
    /// The table.
    const TABLE: Description;

    /// Returns the values of the columns, in order.
    fn values(&self) -> Vec<Value<'_>>;
}

/// The type of a field.
trait Field {
    const KIND: ColumnKind;
    const IS_NULLABLE: bool = false;

    fn value(&self) -> Value<'_>;
}

impl Field for String {
    const KIND: ColumnKind = ColumnKind::Text;

    fn value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Field for u32 {
    const KIND: ColumnKind = ColumnKind::Integer;

    fn value(&self) -> Value<'_> {
        Value::Integer(i64::from(*self))
    }
}

impl Field for bool {
    const KIND: ColumnKind = ColumnKind::Boolean;

    fn value(&self) -> Value<'_> {
        Value::Boolean(*self)
    }
}

impl<F: Field> Field for Option<F> {
    const KIND: ColumnKind = F::KIND;
    const IS_NULLABLE: bool = true;

    fn value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, F::value)
    }
}

/// Defines the rows of tables. The names of the fields are those of the columns.
macro_rules! tables {
    ($($(#[$docs:meta])* $row:ident in $table:ident { $($(#[$of_field:meta])* $field:ident: $kind:ty,)+ })+) => {
        $(
            $(#[$docs])*
            #[derive(Clone, Debug, PartialEq, Eq)]
            pub struct $row {
                $($(#[$of_field])* pub $field: $kind,)+
            }

            impl Row for $row {
                const TABLE: Description = Description {
                    name: stringify!($table),
                    columns: &[$(Column {
                        name: stringify!($field),
                        kind: <$kind as Field>::KIND,
                        is_nullable: <$kind as Field>::IS_NULLABLE,
                    }),+],
                };

                fn values(&self) -> Vec<Value<'_>> {
                    vec![$(self.$field.value()),+]
                }
            }
        )+

        /// All tables.
        pub const TABLES: &[Description] = &[$($row::TABLE),+];
    };
}

tables! {
    /// A source: a template, one of its direct and indirect imports, or a built-in source.
    File in files {
        /// The path or URL.
        file: String,
        /// The language, such as `TOSCA`.
        language: String,
        /// The version of the language, such as `2.0`; empty if it has no versions.
        version: String,
        /// The name under which other files can import it; in TOSCA 1.x, its namespace.
        profile: Option<String>,
        /// Whether it is part of the program.
        is_built_in: bool,
    }

    /// A file that was validated: a service, or a file with types.
    Template in templates {
        /// The file.
        file: String,
        /// Whether it describes a service.
        is_service: bool,
        /// The number of errors in it and in its imports.
        errors: u32,
        /// The number of warnings in it and in its imports.
        warnings: u32,
    }

    /// A type that a file declares.
    Type in types {
        /// The declaring file.
        file: String,
        /// The line of the name, starting at 1.
        line: u32,
        /// The kind, such as `node type`.
        kind: String,
        /// The name.
        name: String,
    }

    /// A use of a type.
    Use in uses {
        /// The file with the use.
        file: String,
        /// The line, starting at 1.
        line: u32,
        /// The kind of the user, such as `node template` or `node type`.
        user_kind: String,
        /// The name of the user; empty if it has none.
        user: String,
        /// The part of the user that names the type, such as a property; empty for the user itself.
        member: String,
        /// The keyname whose value names the type.
        keyname: String,
        /// Whether the user is derived from the type.
        is_derivation: bool,
        /// Whether the user is a node that a service of this type replaces.
        is_substituted: bool,
        /// The file that declares the type.
        type_file: String,
        /// The kind of the type.
        type_kind: String,
        /// The name of the type.
        type_name: String,
    }

    /// An import.
    Import in imports {
        /// The importing file.
        file: String,
        /// The line, starting at 1.
        line: u32,
        /// The imported file; `None` if it can't be read.
        imported: Option<String>,
        /// The path, URL or profile name, as written, without credentials.
        target: Option<String>,
        /// The prefix of the imported names.
        prefix: Option<String>,
    }

    /// A service that can replace nodes of a type.
    Substitution in substitutions {
        /// The file with the service.
        file: String,
        /// The line, starting at 1.
        line: u32,
        /// The file that declares the type.
        type_file: String,
        /// The name of the node type.
        type_name: String,
    }

    /// A problem of a template. A problem in an import is a problem of each template that imports it.
    Problem in problems {
        /// The template.
        template: String,
        /// The code of the rule.
        code: String,
        /// The name of the rule.
        name: String,
        /// `error` or `warning`.
        severity: String,
        /// One sentence, without a period.
        message: String,
        /// The file with the problem: the template or one of its imports.
        file: String,
        /// The line, starting at 1.
        line: u32,
        /// The column, starting at 1.
        column: u32,
    }
}
