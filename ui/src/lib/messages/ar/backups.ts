import type { backups as english } from '../en/backups';
import type { Part } from '../languages';

/** Arabic for copies of the library, and for the way back to a whole one. Part of `words`. */
export const backups: Part<'ar', typeof english> = {
  'backups.title': 'النسخ الاحتياطية',
  'backups.what':
    'تنسخ المكتبة نفسها مرة في اليوم ما دامت النافذة مفتوحة وتغيّر شيء. تُخلي النسخ القديمة مكانها للأحدث؛ وتبقى النسخ المنشأة يدويًا.',
  'backups.last': 'آخر نسخة احتياطية: {when}',
  'backups.none': 'لا توجد نسخة احتياطية بعد.',
  'backups.now': 'إنشاء نسخة احتياطية الآن',
  'backups.made': 'أُنشئت النسخة: {size}',
  'backups.list': 'النسخ الاحتياطية، الأحدث أولًا',
  'backups.daily': 'تلقائية',
  'backups.upgrade': 'قبل تحديث Gleaner',
  'backups.by_hand': 'يدوية',
  'backups.restore': 'استعادة…',
  'backups.restore.label': 'استعادة النسخة الاحتياطية بتاريخ {date}…',
  'backups.ask': 'العودة إلى {date}؟',
  'backups.ask.aside': 'لا تتضمن ما ورد أو قُرئ منذ ذلك الحين. تُنحّى المكتبة الحالية جانبًا في {folder}، ولا تُحذف أبدًا.',
  'backups.restore.do': 'استعادتها',
  'backups.where': 'المكتبة موجودة في',
  'backups.show': 'فتح المجلد',

  'backups.damage': 'إذا تعذّرت قراءة شيء في المكتبة',
  'backups.recover': 'استرداد ما يمكن قراءته',
  'backups.recover.what':
    'تُنشأ مكتبة جديدة من كل ما تمكن قراءته، ويؤخذ الناقص من أحدث نسخة احتياطية. تُنحّى المكتبة التالفة جانبًا في {folder}، ولا تُحذف أبدًا.',
  'backups.recover.no_backup':
    'تُنشأ مكتبة جديدة من كل ما تمكن قراءته؛ ولا توجد نسخة احتياطية لسدّ النقص. تُنحّى المكتبة التالفة جانبًا في {folder}، ولا تُحذف أبدًا.',
  'backups.choose': 'استعادة نسخة احتياطية…',

  'backups.backing_up': 'جارٍ نسخ المكتبة…',
  'backups.restoring': 'جارٍ وضع النسخة الاحتياطية في مكانها والتحقق من سلامتها…',
  'backups.recovering': 'جارٍ قراءة ما تمكن قراءته. يستغرق ذلك دقائق مع المكتبة الكبيرة؛ ويمكن إبقاء النافذة مفتوحة.',
  'backups.busy': 'برنامج آخر يفتح المكتبة: نافذة ثانية أو glean. يجب إغلاقه ثم إعادة المحاولة. لم يتغير شيء.',
  'backups.not_whole': 'لا تمكن قراءة هذه النسخة كاملة. لم يتغير شيء؛ يمكن اختيار نسخة أخرى.',

  // What came of it
  'renewed.restored': 'استُعيدت النسخة الاحتياطية',
  'renewed.recovered': 'استُردّت المكتبة',
  'renewed.feeds': {
    zero: 'لا خلاصات',
    one: 'خلاصة واحدة',
    two: 'خلاصتان',
    few: '{count} خلاصات',
    many: '{count} خلاصة',
    other: '{count} خلاصة',
  },
  'renewed.articles': {
    zero: 'لا مقالات',
    one: 'مقالة واحدة',
    two: 'مقالتان',
    few: '{count} مقالات',
    many: '{count} مقالة',
    other: '{count} مقالة',
  },
  'renewed.as_of': 'المكتبة كما كانت في {date}.',
  'renewed.whole': 'أمكنت قراءة كل شيء.',
  'renewed.filled': 'لم تمكن قراءة كل شيء. جاء الناقص من نسخة {date} الاحتياطية بقدر ما كان فيها.',
  'renewed.gaps': 'لم تمكن قراءة كل شيء، ولم توجد نسخة احتياطية لسدّ النقص.',
  'renewed.lost': 'ما تعذّرت قراءته',
  'renewed.pieces': {
    zero: '{what}: {count}',
    one: '{what}: {count}',
    two: '{what}: {count}',
    few: '{what}: {count}',
    many: '{what}: {count}',
    other: '{what}: {count}',
  },
  'renewed.aside': 'المكتبة السابقة منحّاة جانبًا في',
};
