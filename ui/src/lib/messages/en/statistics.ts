/** English for what was read, and what can be proposed. Part of `en`. */
export const statistics = {
  'key.statistics': 'What you read',
  'statistics.menu': 'What you read…',
  'statistics.title': 'What you read',
  'statistics.local': 'Counted on this computer, for you alone. Nothing of it is sent anywhere.',
  'statistics.loading': 'Counting…',
  'statistics.span': 'Time',
  'statistics.span.days': { one: 'The last day', other: 'The last {count} days' },
  'statistics.since':
    'An article counts when you open it; marking it read does not count. Gleaner has counted since {date}.',
  'statistics.not_yet': 'Nothing was counted yet. An article counts when you open it; marking it read does not count.',
  'statistics.sum': {
    one: '{count} article opened in the time shown.',
    other: '{count} articles opened in the time shown.',
  },
  'statistics.days': 'Articles by day',
  'statistics.weeks': 'Articles by week',
  'statistics.hours': 'Hours of the day',
  'statistics.hours.text': 'You read most at about {hour}.',
  'statistics.feeds': 'What you read most',
  'statistics.feed.opened': {
    one: '{count} opened of {all} that came',
    other: '{count} opened of {all} that came',
  },
  'statistics.proposals': 'What you could change',
  'statistics.proposals.none': 'You read something of every feed that posts. There is nothing to propose.',
  'statistics.unread': {
    one: '{count} article came, and you opened none.',
    other: '{count} articles came, and you opened none.',
  },
  'statistics.noisy': {
    one: 'About {count} article a day; {share} of them stay unread.',
    other: 'About {count} articles a day; {share} of them stay unread.',
  },
  'statistics.silent': 'Nothing new since {date}.',
  'statistics.actions': 'What to do about {title}',
  'statistics.unsubscribe': 'Unsubscribe',
  'statistics.fewer': { one: 'Keep only the newest article', other: 'Keep only the newest {count}' },
  'statistics.mark_read': 'Mark new ones read',
  'statistics.mark_read.rule': 'Mark “{title}” read',
  'statistics.move': 'Move…',
  'statistics.inspect': 'Inspect',
} as const;
