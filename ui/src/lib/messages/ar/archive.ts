import type { archive as english } from '../en/archive';
import type { Part } from '../languages';

/** Arabic for what goes out of the library as an archive or as documents, and for archives that come in. Part of `words`. */
export const archive: Part<'ar', typeof english> = {
  'menu.export_everything': 'تصدير كل شيء…',
  'archive.done': { zero: 'كُتبت في {path}: لا مقالات', one: 'كُتبت في {path}: مقالة واحدة', two: 'كُتبت في {path}: مقالتان', few: 'كُتبت في {path}: {count} مقالات', many: 'كُتبت في {path}: {count} مقالة', other: 'كُتبت في {path}: {count} مقالة' },
  'archive.no_secrets': 'لا تتضمن كلمات مرور ولا رموزًا ولا ترويسات. يوضح ملف README.txt فيها ما تحتويه.',
  'archive.label': 'تصدير',
  'archive.progress': 'كتابة {done} من {total} من المقالات',
  'archive.writing': 'كتابة {file}',
  'archive.cancel': 'إيقاف التصدير',
  'archive.stopped': 'أُوقف التصدير؛ لم يُكتب شيء',
  'archive.articles': 'إدخال {done} من {total} من المقالات',
  'archive.added': { zero: 'أُضيفت لا مقالات', one: 'أُضيفت مقالة واحدة', two: 'أُضيفت مقالتان', few: 'أُضيفت {count} مقالات', many: 'أُضيفت {count} مقالة', other: 'أُضيفت {count} مقالة' },
  'archive.there': { zero: 'مقالات كانت موجودة: {count}', one: 'مقالات كانت موجودة: {count}', two: 'مقالات كانت موجودة: {count}', few: 'مقالات كانت موجودة: {count}', many: 'مقالات كانت موجودة: {count}', other: 'مقالات كانت موجودة: {count}' },
  'archive.feeds_there': { zero: 'خلاصات كانت موجودة: {count}', one: 'خلاصات كانت موجودة: {count}', two: 'خلاصات كانت موجودة: {count}', few: 'خلاصات كانت موجودة: {count}', many: 'خلاصات كانت موجودة: {count}', other: 'خلاصات كانت موجودة: {count}' },
  'archive.marked': { zero: 'مقالات أُعيدت إليها علاماتها: {count}', one: 'مقالات أُعيدت إليها علاماتها: {count}', two: 'مقالات أُعيدت إليها علاماتها: {count}', few: 'مقالات أُعيدت إليها علاماتها: {count}', many: 'مقالات أُعيدت إليها علاماتها: {count}', other: 'مقالات أُعيدت إليها علاماتها: {count}' },
  'archive.rules': { zero: 'قواعد مضافة: {count}', one: 'قواعد مضافة: {count}', two: 'قواعد مضافة: {count}', few: 'قواعد مضافة: {count}', many: 'قواعد مضافة: {count}', other: 'قواعد مضافة: {count}' },
  'archive.searches': { zero: 'عمليات بحث محفوظة مضافة: {count}', one: 'عمليات بحث محفوظة مضافة: {count}', two: 'عمليات بحث محفوظة مضافة: {count}', few: 'عمليات بحث محفوظة مضافة: {count}', many: 'عمليات بحث محفوظة مضافة: {count}', other: 'عمليات بحث محفوظة مضافة: {count}' },
  'archive.pictures': { zero: 'صور مضافة: {count}', one: 'صور مضافة: {count}', two: 'صور مضافة: {count}', few: 'صور مضافة: {count}', many: 'صور مضافة: {count}', other: 'صور مضافة: {count}' },
  'archive.left_out': { zero: 'ما تُرك إجمالًا: {count}', one: 'ما تُرك إجمالًا: {count}', two: 'ما تُرك إجمالًا: {count}', few: 'ما تُرك إجمالًا: {count}', many: 'ما تُرك إجمالًا: {count}', other: 'ما تُرك إجمالًا: {count}' },
  'archive.access': 'لا يتضمن أي أرشيف كلمات مرور ولا رموزًا ولا ترويسات: الخلاصات التي تطلبها تحتاج إليها من جديد، في «حول هذه الخلاصة».',

  'save.markdown': 'حفظ بصيغة Markdown…',
  'save.html': 'حفظ بصيغة HTML…',
  'save.epub': 'حفظ بصيغة EPUB…',
  'save.results': 'حفظ النتائج',
  'save.results.markdown': 'حفظ الكل بصيغة Markdown…',
  'save.results.html': 'حفظ الكل بصيغة HTML…',
  'save.results.epub': 'حفظ الكل بصيغة EPUB…',
};
