/** English for copies of the library, and for the way back to a whole one. Part of `en`. */
export const backups = {
  'backups.title': 'Backups',
  'backups.what':
    'The library copies itself once a day while the window is open, where something changed. Older copies give way to newer ones; those that you make yourself stay.',
  'backups.last': 'Last backup: {when}',
  'backups.none': 'There is no backup yet.',
  'backups.now': 'Back up now',
  'backups.made': 'Backed up: {size}',
  'backups.list': 'Backups, newest first',
  'backups.daily': 'made by itself',
  'backups.upgrade': 'before an update of Gleaner',
  'backups.by_hand': 'made by you',
  'backups.restore': 'Restore…',
  'backups.restore.label': 'Restore the backup of {date}…',
  'backups.ask': 'Back to {date}?',
  'backups.ask.aside':
    'What came in or was read since is not in it. The library as it is now is set aside in {folder}, and never deleted.',
  'backups.restore.do': 'Restore it',
  'backups.where': 'The library is in',
  'backups.show': 'Open the folder',

  'backups.damage': 'If something in the library cannot be read',
  'backups.recover': 'Recover what can be read',
  'backups.recover.what':
    'A new library is made of all that can still be read, and what is missing is taken from the newest backup. The damaged one is set aside in {folder}, and never deleted.',
  'backups.recover.no_backup':
    'A new library is made of all that can still be read; there is no backup to fill the gaps from. The damaged one is set aside in {folder}, and never deleted.',
  'backups.choose': 'Restore a backup…',

  'backups.backing_up': 'Copying the library…',
  'backups.restoring': 'Putting the backup in place, and looking whether it is whole…',
  'backups.recovering':
    'Reading what can be read. With a large library that takes some minutes; the window can stay open.',
  'backups.busy':
    'Another program has the library open: a second window, or glean. Close it, then try again. Nothing was changed.',
  'backups.not_whole': 'This backup cannot be read as a whole. Nothing was changed; choose another one.',

  // What came of it
  'renewed.restored': 'The backup is restored',
  'renewed.recovered': 'The library is recovered',
  'renewed.feeds': { one: '{count} feed', other: '{count} feeds' },
  'renewed.articles': { one: '{count} article', other: '{count} articles' },
  'renewed.as_of': 'The library is as it was on {date}.',
  'renewed.whole': 'All of it could be read.',
  'renewed.filled':
    'Not all of it could be read. What was missing came from the backup of {date}, as far as it was there.',
  'renewed.gaps': 'Not all of it could be read, and there was no backup to fill the gaps from.',
  'renewed.lost': 'What could not be read',
  'renewed.pieces': { one: '{what}: {count} piece', other: '{what}: {count} pieces' },
  'renewed.aside': 'The library that was there before is set aside in',
} as const;
