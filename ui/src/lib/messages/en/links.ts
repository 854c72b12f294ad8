/** Where links lead. */
export const links = {
  'links.refused': 'Not opened: {scheme} links do not lead to a web page',
  'links.claims': 'Its words say {host}',
  'links.user': 'What stands before the @ is only a user’s name',
  'links.look': 'Letters of its name look like others; this is how it is sent',
  'links.title': 'Does this link lead where you want to go?',
  'links.leads': 'The link leads to {host}.',
  'links.claims.long': 'Its words name another site: {host}.',
  'links.user.long': '{user} is only a user’s name here: the site is what stands after the @.',
  'links.look.long':
    'The name of the site has letters that look like others, so it may pass for one that you know. It is shown as computers write it.',
  'links.open': 'Open {host}',
  'links.copy': 'Copy address',
  'links.stay': 'Stay here',
} as const;
