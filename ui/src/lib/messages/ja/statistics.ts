import type { statistics as english } from '../en/statistics';
import type { Part } from '../languages';

/** Japanese for what was read, and what can be proposed. Part of `words`. */
export const statistics: Part<'ja', typeof english> = {
  'key.statistics': '閲覧の統計',
  'statistics.menu': '閲覧の統計…',
  'statistics.title': '閲覧の統計',
  'statistics.local': 'このコンピューターで、あなただけのために数えたものです。どこにも送信されません。',
  'statistics.loading': '数えています…',
  'statistics.span': '期間',
  'statistics.span.days': { other: '過去 {count} 日' },
  'statistics.since': '記事は開いたときに数えます。既読にしただけでは数えません。{date} から数えています。',
  'statistics.not_yet': 'まだ何も数えていません。記事は開いたときに数えます。既読にしただけでは数えません。',
  'statistics.sum': { other: 'この期間に記事 {count} 件を開きました。' },
  'statistics.days': '日ごとの記事数',
  'statistics.weeks': '週ごとの記事数',
  'statistics.hours': '時間帯',
  'statistics.hours.text': '最もよく読むのは {hour} ごろです。',
  'statistics.feeds': 'よく読むフィード',
  'statistics.feed.opened': { other: '届いた {all} 件のうち {count} 件を開きました' },
  'statistics.proposals': '見直しの提案',
  'statistics.proposals.none': '投稿のあるフィードはどれも読まれています。提案はありません。',
  'statistics.unread': { other: '記事 {count} 件が届きましたが、一つも開いていません。' },
  'statistics.noisy': { other: '一日におよそ {count} 件。そのうち {share} が未読のままです。' },
  'statistics.silent': '{date} から新しいものがありません。',
  'statistics.actions': '{title} についてできること',
  'statistics.unsubscribe': '購読を解除',
  'statistics.fewer': { other: '新しい {count} 件だけ残す' },
  'statistics.mark_read': '新着を既読にする',
  'statistics.mark_read.rule': '「{title}」を既読にする',
  'statistics.move': '移動…',
  'statistics.inspect': '検査',
};
