/** How articles are set. */
export const look = {
  'look.title': 'How articles look',
  'look.font': 'Font',
  'look.font.serif': 'Source Serif',
  'look.font.sans': 'Inter',
  'look.font.system': 'The system’s',
  'look.size': 'Size',
  'look.width': 'Length of a line',
  'look.width.value': { one: '{count} character', other: '{count} characters' },
  'look.leading': 'Space between lines',
  'look.less': '{what}: less',
  'look.more': '{what}: more',
  'look.hyphens': 'Divide words',
  'look.hyphens.hint': 'Where an article says in which language it is.',
  'look.css': 'Your own style sheet',
  'look.css.hint':
    'CSS for the pages of articles, over Gleaner’s own. What is typed shows at once; what would ask a server is left out.',
  'look.reset': 'All as it was meant',
  'look.reset.done': 'Articles look as they were meant again',
} as const;
