import type { statistics as english } from '../en/statistics';
import type { Part } from '../languages';

/** Simplified Chinese for what was read, and what can be proposed. Part of `words`. */
export const statistics: Part<'zh', typeof english> = {
  'key.statistics': '阅读统计',
  'statistics.menu': '阅读统计…',
  'statistics.title': '阅读统计',
  'statistics.local': '在此电脑上统计，仅供自己查看。不会发送到任何地方。',
  'statistics.loading': '正在统计…',
  'statistics.span': '时间',
  'statistics.span.days': { other: '最近 {count} 天' },
  'statistics.since': '打开文章才计入；标为已读不计入。Gleaner 自 {date} 起统计。',
  'statistics.not_yet': '还没有统计数据。打开文章才计入；标为已读不计入。',
  'statistics.sum': { other: '在所示时间内打开了 {count} 篇文章。' },
  'statistics.days': '每天文章数',
  'statistics.weeks': '每周文章数',
  'statistics.hours': '一天中的时段',
  'statistics.hours.text': '阅读最多的时间约为 {hour}。',
  'statistics.feeds': '读得最多的',
  'statistics.feed.opened': { other: '收到 {all} 篇，打开 {count} 篇' },
  'statistics.proposals': '可作的调整',
  'statistics.proposals.none': '有新文章的订阅源都在读。没有可建议的。',
  'statistics.unread': { other: '收到 {count} 篇文章，一篇也没有打开。' },
  'statistics.noisy': { other: '每天约 {count} 篇文章；其中 {share} 一直未读。' },
  'statistics.silent': '自 {date} 起没有新内容。',
  'statistics.actions': '对 {title} 的操作',
  'statistics.unsubscribe': '退订',
  'statistics.fewer': { other: '只保留最新 {count} 篇' },
  'statistics.mark_read': '将新文章标为已读',
  'statistics.mark_read.rule': '将“{title}”标为已读',
  'statistics.move': '移动…',
  'statistics.inspect': '检查',
};
