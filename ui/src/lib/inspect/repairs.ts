/** Messages about repairs of documents. Kinds and details are codes of the report contract. */
import type { ReportRepair } from '../ipc';
import { inLine, t, type MessageKey, type PlainKey } from '../messages';

const KINDS: Record<string, PlainKey> = {
  'undefined-entity': 'inspect.repair.undefined-entity',
  'bare-ampersand': 'inspect.repair.bare-ampersand',
  'mismatched-tag': 'inspect.repair.mismatched-tag',
  'bad-encoding': 'inspect.repair.bad-encoding',
  'control-character': 'inspect.repair.control-character',
  'double-encoded-utf8': 'inspect.repair.double-encoded-utf8',
  'undeclared-prefix': 'inspect.repair.undeclared-prefix',
  'junk-before-xml': 'inspect.repair.junk-before-xml',
  truncated: 'inspect.repair.truncated',
};

/** Details by their codes. Their values are text of the document, or names of elements and encodings. */
const DETAILS: Record<string, MessageKey> = {
  text: 'inspect.repair.found',
  after_feed: 'inspect.detail.after_feed',
  closes_others: 'inspect.detail.closes_others',
  comment: 'inspect.detail.comment',
  declared_but_utf8: 'inspect.detail.declared_but_utf8',
  declared_encoding: 'inspect.detail.declared_encoding',
  end_without_start: 'inspect.detail.end_without_start',
  ends_within_element: 'inspect.detail.ends_within_element',
  ends_within_tag: 'inspect.detail.ends_within_tag',
  ends_within_value: 'inspect.detail.ends_within_value',
  invalid_bytes: 'inspect.detail.invalid_bytes',
  invalid_escape: 'inspect.detail.invalid_escape',
  invalid_value: 'inspect.detail.invalid_value',
  item_in_channel_element: 'inspect.detail.item_in_channel_element',
  line_break_in_string: 'inspect.detail.line_break_in_string',
  malformed_tag: 'inspect.detail.malformed_tag',
  missing_comma: 'inspect.detail.missing_comma',
  name_without_value: 'inspect.detail.name_without_value',
  nested_item: 'inspect.detail.nested_item',
  not_closed: 'inspect.detail.not_closed',
  not_utf8_as_declared: 'inspect.detail.not_utf8_as_declared',
  other_encoding: 'inspect.detail.other_encoding',
  outside_root: 'inspect.detail.outside_root',
  repeated_too_much: 'inspect.detail.repeated_too_much',
  second_root: 'inspect.detail.second_root',
  superfluous_colon: 'inspect.detail.superfluous_colon',
  superfluous_comma: 'inspect.detail.superfluous_comma',
  too_many_items: 'inspect.detail.too_many_items',
  unescaped_less_than: 'inspect.detail.unescaped_less_than',
  unknown_declaration: 'inspect.detail.unknown_declaration',
  unmatched_bracket: 'inspect.detail.unmatched_bracket',
  unpaired_surrogate: 'inspect.detail.unpaired_surrogate',
  unreadable_tag: 'inspect.detail.unreadable_tag',
  unterminated_cdata: 'inspect.detail.unterminated_cdata',
  unterminated_comment: 'inspect.detail.unterminated_comment',
  unterminated_instruction: 'inspect.detail.unterminated_instruction',
  unterminated_string: 'inspect.detail.unterminated_string',
  white_space: 'inspect.detail.white_space',
  wrong_bracket: 'inspect.detail.wrong_bracket',
};

export const repairText = (kind: string): string => t(KINDS[kind] ?? 'inspect.repair.other');

/** Returns the parameters of a line about a repair. */
export const placeAndKind = ({ kind, line, column }: ReportRepair): { place: string; what: string } => ({
  place: t('inspect.repair.place', { line: String(line), column: String(column) }),
  what: repairText(kind),
});

/** Returns what exactly was repaired; empty if nothing more is known. */
export function repairDetail({ detail, detail_values: [value = '', expected = ''] }: ReportRepair): string {
  const key = DETAILS[detail];
  if (!key) return '';
  const translate = t as (key: MessageKey, params: Record<string, string>) => string;
  return translate(key, { detail: value, value, expected });
}

/** Returns a repair in one line: its place, its kind and its detail. */
export const repairLine = (repair: ReportRepair): string =>
  inLine([t('inspect.report.line', placeAndKind(repair)), repairDetail(repair)]);
