/** English for what comes from other readers besides lists of feeds. Part of `en`. */
export const imports = {
  'import.ended': '{file} was imported',
  'import.ended.failed': '{file} could not be imported',
  'import.show': 'Show',
  'import.taking': { one: '{count} article read', other: '{count} articles read' },
  'import.articles': { one: '{count} article', other: '{count} articles' },
  'import.starred': { one: '{count} of them starred', other: '{count} of them starred' },
  'import.known': {
    one: '{count} article was here already; it kept its text and gained the marks it had there.',
    other: '{count} articles were here already; they kept their text and gained the marks they had there.',
  },
  'import.unasked': {
    one: '{count} feed more came with its articles. It is not refreshed by itself: nothing said that you follow it.',
    other:
      '{count} feeds more came with their articles. They are not refreshed by themselves: nothing said that you follow them.',
  },
} as const;
