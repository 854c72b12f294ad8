/** English for what is wished of a feed or folder. Part of `en`. */
export const preferences = {
  'prefs.title': 'Settings of {title}',
  'prefs.menu': 'Settings…',
  'prefs.hint': 'What is not said here is as in the folder, or as for all feeds.',
  'prefs.asking': 'Refreshing',
  'prefs.images': 'Pictures from the web',
  'prefs.images.show': 'Shown',
  'prefs.images.hide': 'Not shown',
  'prefs.images.done': 'Pictures of {title} are shown',
  'prefs.yes': 'Yes',
  'prefs.no': 'No',
  'prefs.notify': 'Tell on the desktop of new articles',
  'prefs.notify.hint':
    'One notification a refresh, with the newest titles. What a rule marks read or hides is not told.',
  'key.preferences': 'Settings of a feed or folder',
  'article.always_pictures_feed': 'Always show this feed’s',
} as const;
