/** What was found about a feed, as Markdown for its publisher. Nothing secret is in it. */
import type { FeedRecord, FeedReport, PollLine } from '../ipc';
import { t, type PlainKey } from '../messages';
import { errorText } from '../messages/errors';
import { answerText, tookText } from '../messages/record';
import { formatName } from './fields';
import { publicExcerpt, publicText, publicUrl } from './redact';

const REQUESTS = 10;

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

const ENCODINGS: Record<string, PlainKey> = {
  http: 'inspect.encoding.http',
  bom: 'inspect.encoding.bom',
  xml: 'inspect.encoding.xml',
  detected: 'inspect.encoding.detected',
};

export const repairText = (kind: string): string => t(KINDS[kind] ?? 'inspect.repair.other');

export const encodingText = (from: string): string => t(ENCODINGS[from] ?? 'inspect.encoding.default');

const utc = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ') + ' UTC';

/** Plain words within Markdown. */
const plain = (text: string): string => text.replace(/[\\`*_[\]<>|#]/g, '\\$&').replace(/\s+/g, ' ');

/** As it is, whatever backticks it has. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^`|`$|^ .* $/.test(text) ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** A line of a document as a block of its own, spaces and all. */
const block = (text: string): string => `      ${text.replaceAll('\t', ' ')}`;

function request(poll: PollLine): string {
  const answer = [poll.status === null ? '' : String(poll.status), answerText(poll)].filter(Boolean).join(' ');
  const hops = poll.hops.map((hop) => `→ ${hop}`);
  const cells = [
    utc(poll.at),
    plain(publicText([answer, ...hops].join(' '))),
    tookText(poll.took_ms),
    String(poll.bytes),
  ];
  return `| ${cells.join(' | ')} |`;
}

export function markdownReport(record: FeedRecord, report: FeedReport | null, now: number): string {
  const lines = [
    `# ${t('inspect.report.title', { title: plain(publicText(record.title)) })}`,
    '',
    t('inspect.report.made', { time: utc(now) }),
    '',
    `- ${t('inspect.report.address', { url: code(publicUrl(record.url)) })}`,
  ];
  if (record.trouble)
    lines.push(`- ${t('inspect.report.trouble', { what: plain(publicText(errorText(record.trouble).what)) })}`);
  if (report) {
    const encoding = { encoding: report.encoding, from: encodingText(report.encoding_from) };
    lines.push(
      `- ${t('inspect.report.read', { time: utc(report.at) })}`,
      `- ${t('inspect.report.format', { format: formatName(report.format) })}`,
      `- ${t('inspect.report.encoding', encoding)}`,
      '',
      `## ${t('inspect.repairs')}`,
      '',
    );
    if (report.repairs.length === 0) lines.push(t('inspect.well_formed'));
    for (const repair of report.repairs) {
      const place = t('inspect.repair.place', { line: String(repair.line), column: String(repair.column) });
      const found = repair.detail ? t('inspect.repair.found', { detail: code(publicText(repair.detail)) }) : '';
      lines.push(`- ${t('inspect.report.line', { place, what: repairText(repair.kind), found })}`.trimEnd());
      if (repair.text) lines.push('', block(publicExcerpt(repair.text, repair.at)), '');
    }
    const more = report.repairs_total - report.repairs.length;
    if (more > 0) lines.push(`- ${t('inspect.repair.more', { count: more })}`);
  }
  const polls = record.polls.slice(0, REQUESTS);
  if (polls.length > 0) {
    const head = [
      t('inspect.report.time'),
      t('inspect.report.answer'),
      t('inspect.report.took'),
      t('inspect.report.bytes'),
    ];
    lines.push('', `## ${t('inspect.report.requests')}`, '', `| ${head.join(' | ')} |`, '| --- | --- | --- | --- |');
    lines.push(...polls.map(request));
  }
  return lines.join('\n').replace(/\n{3,}/g, '\n\n') + '\n';
}
