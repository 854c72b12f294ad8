/** Builds a Markdown report about a feed for its publisher, without secrets. */
import type { FeedInfo, FeedReport, PollLogEntry } from '../ipc';
import { inLine, t } from '../messages';
import { errorText } from '../messages/errors';
import { responseText, durationText } from '../messages/feed-info';
import { formatName } from './fields';
import { placeAndKind, repairDetail } from './repairs';
import { publicExcerpt, publicText, publicUrl } from './redact';

const REQUESTS = 10;

const ENCODINGS: Record<
  string,
  'inspect.encoding.http' | 'inspect.encoding.bom' | 'inspect.encoding.xml' | 'inspect.encoding.detected'
> = {
  http: 'inspect.encoding.http',
  bom: 'inspect.encoding.bom',
  xml: 'inspect.encoding.xml',
  detected: 'inspect.encoding.detected',
};

/** Returns the encoding and how it was determined: "UTF-8 (from the HTTP header)". */
export const encodingText = (encoding: string, from: string): string =>
  t(ENCODINGS[from] ?? 'inspect.encoding.default', { encoding });

const utc = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ') + ' UTC';

/** Escapes Markdown. */
const plain = (text: string): string => text.replace(/[\\`*_[\]<>|#]/g, '\\$&').replace(/\s+/g, ' ');

/** Returns an inline code span, whatever backticks the text contains. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^`|`$|^ .* $/.test(text) ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** Formats a line as a code block. */
const block = (text: string): string => `      ${text.replaceAll('\t', ' ')}`;

function request(poll: PollLogEntry): string {
  const answer = [poll.status === null ? '' : String(poll.status), responseText(poll)].filter(Boolean).join(' ');
  const redirects = poll.redirects.map((hop) => `→ ${hop}`);
  const cells = [
    utc(poll.at),
    plain(publicText([answer, ...redirects].join(' '))),
    durationText(poll.duration_ms),
    String(poll.bytes),
  ];
  return `| ${cells.join(' | ')} |`;
}

export function markdownReport(record: FeedInfo, report: FeedReport | null, now: number): string {
  const lines = [
    `# ${t('inspect.report.title', { title: plain(publicText(record.title)) })}`,
    '',
    t('inspect.report.made', { time: utc(now) }),
    '',
    `- ${t('inspect.report.address', { url: code(publicUrl(record.url)) })}`,
  ];
  if (record.error)
    lines.push(`- ${t('inspect.report.error', { what: plain(publicText(errorText(record.error).what)) })}`);
  if (report) {
    const encoding = encodingText(report.encoding, report.encoding_source);
    lines.push(
      `- ${t('inspect.report.read', { time: utc(report.at) })}`,
      `- ${t('inspect.report.format', { format: formatName(report.format) })}`,
      `- ${t('inspect.report.encoding', { encoding })}`,
      '',
      `## ${t('inspect.repairs')}`,
      '',
    );
    if (report.repairs.length === 0) lines.push(t('inspect.well_formed'));
    for (const repair of report.repairs) {
      const detail = repairDetail({
        ...repair,
        detail_values: repair.detail_values.map((value) => code(publicText(value))),
      });
      lines.push(`- ${inLine([t('inspect.report.line', placeAndKind(repair)), detail])}`);
      if (repair.text) lines.push('', block(publicExcerpt(repair.text, repair.at)), '');
    }
    const more = report.repairs_total - report.repairs.length;
    if (more > 0) lines.push(`- ${t('inspect.repair.more', { count: more })}`);
  }
  const polls = record.polls.slice(0, REQUESTS);
  if (polls.length > 0) {
    const head = [
      t('inspect.report.time'),
      t('inspect.report.response'),
      t('inspect.report.duration'),
      t('inspect.report.bytes'),
    ];
    lines.push('', `## ${t('inspect.report.requests')}`, '', `| ${head.join(' | ')} |`, '| --- | --- | --- | --- |');
    lines.push(...polls.map(request));
  }
  return lines.join('\n').replace(/\n{3,}/g, '\n\n') + '\n';
}
