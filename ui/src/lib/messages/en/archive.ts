/** English for what goes out of the library as an archive or as documents, and for archives that come in. Part of `en`. */
export const archive = {
  'menu.export_everything': 'Export everything…',
  'archive.done': {
    one: '{count} article written to {path}',
    other: '{count} articles written to {path}',
  },
  'archive.no_secrets': 'Passwords, tokens and headers are not in it. Its README.txt says what is.',
  'archive.label': 'Exporting',
  'archive.progress': 'Writing {done} of {total} articles',
  'archive.writing': 'Writing {file}',
  'archive.cancel': 'Stop exporting',
  'archive.stopped': 'Export stopped; nothing was written',
  'archive.articles': 'Taking in {done} of {total} articles',
  'archive.added': { one: '{count} article added', other: '{count} articles added' },
  'archive.there': { one: '{count} article was there already', other: '{count} articles were there already' },
  'archive.feeds_there': { one: '{count} feed was there already', other: '{count} feeds were there already' },
  'archive.marked': { one: '{count} article marked as it was', other: '{count} articles marked as they were' },
  'archive.rules': { one: '{count} rule added', other: '{count} rules added' },
  'archive.searches': { one: '{count} saved search added', other: '{count} saved searches added' },
  'archive.pictures': { one: '{count} picture added', other: '{count} pictures added' },
  'archive.left_out': { one: '{count} thing was left out in all', other: '{count} things were left out in all' },
  'archive.access':
    'Passwords, tokens and headers are in no archive: feeds that ask for them need them again, in About this feed.',

  'save.markdown': 'Save as Markdown…',
  'save.html': 'Save as HTML…',
  'save.epub': 'Save as EPUB…',
  'save.results': 'Save results',
  'save.results.markdown': 'Save all as Markdown…',
  'save.results.html': 'Save all as HTML…',
  'save.results.epub': 'Save all as EPUB…',
} as const;
