//! Format specifications, after the colon of a field: `[[fill]align][sign][#][0][width][grouping][.precision][type]`.

use crate::error::{Result, value_error};
use crate::integer::Integer;
use crate::text::float;
use crate::value::Value;

struct Spec {
    fill: char,
    align: Option<char>,
    sign: char,
    alternate: bool,
    width: usize,
    grouping: Option<char>,
    precision: Option<usize>,
    ty: Option<char>,
}

/// Formats a value according to the specification.
pub(super) fn format(value: &Value, specification: &str, memory: impl Fn(usize) -> Result<()>) -> Result<String> {
    if specification.is_empty() {
        return Ok(value.to_python());
    }
    let spec = parse(specification)?;
    memory(spec.width.saturating_add(spec.precision.unwrap_or(0)))?;
    let unsupported = || {
        let ty = spec.ty.map_or_else(String::new, |ty| ty.to_string());
        Err(value_error(format!("Unknown format code '{ty}' for object of type '{}'", value.type_name())))
    };
    match value {
        Value::Boolean(truth) if spec.ty.is_some_and(|ty| ty != 's') => {
            number(&Value::from(i64::from(*truth)), &spec).map_or_else(unsupported, Ok)
        }
        Value::Integer(_) | Value::Float(_) => number(value, &spec).map_or_else(unsupported, Ok),
        Value::String(_) | Value::Boolean(_) if spec.ty.is_none_or(|ty| ty == 's') => {
            let text = value.to_python();
            let text: String = text.chars().take(spec.precision.unwrap_or(usize::MAX)).collect();
            Ok(pad("", &text, &spec, '<'))
        }
        Value::String(_) => unsupported(),
        _ => Err(value_error(format!("unsupported format string for a {}", value.type_name()))),
    }
}

fn parse(text: &str) -> Result<Spec> {
    let characters: Vec<char> = text.chars().collect();
    let mut rest = characters.as_slice();
    let mut spec = Spec {
        fill: ' ',
        align: None,
        sign: '-',
        alternate: false,
        width: 0,
        grouping: None,
        precision: None,
        ty: None,
    };
    let is_align = |character: char| "<>=^".contains(character);
    match rest {
        [fill, align, after @ ..] if is_align(*align) => {
            (spec.fill, spec.align, rest) = (*fill, Some(*align), after);
        }
        [align, after @ ..] if is_align(*align) => (spec.align, rest) = (Some(*align), after),
        _ => {}
    }
    if let [sign @ ('+' | '-' | ' '), after @ ..] = rest {
        (spec.sign, rest) = (*sign, after);
    }
    if let ['#', after @ ..] = rest {
        (spec.alternate, rest) = (true, after);
    }
    if let ['0', after @ ..] = rest {
        if spec.align.is_none() {
            (spec.fill, spec.align) = ('0', Some('='));
        }
        rest = after;
    }
    (spec.width, rest) = digits(rest);
    if let [mark @ (',' | '_'), after @ ..] = rest {
        (spec.grouping, rest) = (Some(*mark), after);
    }
    if let ['.', after @ ..] = rest {
        let (precision, remaining) = digits(after);
        if remaining.len() == after.len() {
            return Err(value_error("Format specifier missing precision"));
        }
        (spec.precision, rest) = (Some(precision), remaining);
    }
    match rest {
        [] => {}
        [ty] => spec.ty = Some(*ty),
        _ => return Err(value_error("Invalid format specifier")),
    }
    Ok(spec)
}

fn digits(text: &[char]) -> (usize, &[char]) {
    let length = text.iter().take_while(|character| character.is_ascii_digit()).count();
    let number: String = text[..length].iter().collect();
    (number.parse().unwrap_or(if length == 0 { 0 } else { usize::MAX / 4 }), &text[length..])
}

/// Formats a number; `None` if its type does not exist.
fn number(value: &Value, spec: &Spec) -> Option<String> {
    let (negative, prefix, digits) = match (value, spec.ty) {
        (Value::Integer(number), None | Some('d' | 'n')) => (number.is_negative(), "", absolute(number, 10)),
        (Value::Integer(number), Some(ty @ ('b' | 'o' | 'x' | 'X'))) => {
            let (radix, prefix) = match ty {
                'b' => (2, "0b"),
                'o' => (8, "0o"),
                'x' => (16, "0x"),
                _ => (16, "0X"),
            };
            let digits = absolute(number, radix);
            let digits = if ty == 'X' { digits.to_uppercase() } else { digits };
            (number.is_negative(), if spec.alternate { prefix } else { "" }, digits)
        }
        (Value::Integer(number), Some('c')) => {
            let character = u32::try_from(number.to_i64()?).ok().and_then(char::from_u32)?;
            return Some(pad("", &character.to_string(), spec, '<'));
        }
        (_, ty) => {
            let number = value.as_float()?;
            (number.is_sign_negative() && !number.is_nan(), "", float_digits(number.abs(), ty, spec)?)
        }
    };
    let sign = match (negative, spec.sign) {
        (true, _) => "-",
        (false, '+') => "+",
        (false, ' ') => " ",
        _ => "",
    };
    Some(pad(&format!("{sign}{prefix}"), &group(&digits, spec), spec, '>'))
}

fn absolute(number: &Integer, radix: u32) -> String {
    let digits = number.to_radix(radix);
    digits.strip_prefix('-').map(str::to_owned).unwrap_or(digits)
}

fn float_digits(number: f64, ty: Option<char>, spec: &Spec) -> Option<String> {
    let precision = spec.precision.unwrap_or(6).min(1000);
    Some(match ty {
        None if spec.precision.is_none() => float(number),
        None => general(number, precision.max(1)),
        Some('f' | 'F') => format!("{number:.precision$}"),
        Some('%') => format!("{:.precision$}%", number * 100.0),
        Some('e') => exponent(&format!("{number:.precision$e}")),
        Some('E') => exponent(&format!("{number:.precision$e}")).to_uppercase(),
        Some('g' | 'n') => general(number, precision.max(1)),
        Some('G') => general(number, precision.max(1)).to_uppercase(),
        Some(_) => return None,
    })
}

/// Returns a number of significant digits, without zeros at the end.
fn general(number: f64, precision: usize) -> String {
    let scientific = format!("{number:.*e}", precision - 1);
    let power: i32 = scientific.split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0);
    let trim = |digits: &str| {
        let digits = if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
        digits.to_owned()
    };
    match usize::try_from(power) {
        Ok(whole) if whole < precision => trim(&format!("{number:.*}", precision - 1 - whole)),
        Err(_) if power >= -4 => trim(&format!("{number:.*}", precision - 1 + power.unsigned_abs() as usize)),
        _ => {
            let (digits, _) = scientific.split_once('e').unwrap_or((&scientific, ""));
            exponent(&format!("{}e{power}", trim(digits)))
        }
    }
}

/// Writes an exponent with a sign and at least two digits.
fn exponent(scientific: &str) -> String {
    let Some((digits, power)) = scientific.split_once('e') else {
        return scientific.to_owned();
    };
    let (sign, power) = power.strip_prefix('-').map_or(('+', power), |power| ('-', power));
    format!("{digits}e{sign}{power:0>2}")
}

fn group(digits: &str, spec: &Spec) -> String {
    let Some(mark) = spec.grouping else {
        return digits.to_owned();
    };
    let (whole, fraction) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(mark);
        }
        grouped.push(digit);
    }
    grouped + fraction
}

fn pad(sign: &str, text: &str, spec: &Spec, default: char) -> String {
    let missing = spec.width.saturating_sub(sign.chars().count() + text.chars().count());
    let fill = |count: usize| spec.fill.to_string().repeat(count);
    match spec.align.unwrap_or(default) {
        '<' => format!("{sign}{text}{}", fill(missing)),
        '^' => format!("{}{sign}{text}{}", fill(missing / 2), fill(missing - missing / 2)),
        '=' => format!("{sign}{}{text}", fill(missing)),
        _ => format!("{}{sign}{text}", fill(missing)),
    }
}
