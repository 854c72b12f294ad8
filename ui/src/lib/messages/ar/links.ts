import type { links as english } from '../en/links';
import type { Part } from '../languages';

/** Arabic for where links lead. Part of `words`. */
export const links: Part<'ar', typeof english> = {
  'links.refused': 'لم يُفتح: روابط {scheme} لا تؤدي إلى صفحة ويب',
  'links.claims': 'يقول نصه {host}',
  'links.user': 'ما قبل @ مجرد اسم مستخدم',
  'links.look': 'في الاسم أحرف تشبه غيرها؛ هكذا يُرسل',
  'links.title': 'هل يؤدي هذا الرابط إلى المكان المقصود؟',
  'links.leads': 'يؤدي الرابط إلى {host}.',
  'links.claims.long': 'يذكر نصه موقعًا آخر: {host}.',
  'links.user.long': 'ليس {user} هنا إلا اسم مستخدم: الموقع هو ما بعد @.',
  'links.look.long': 'في اسم الموقع أحرف تشبه غيرها، فقد يبدو كأنه موقع معروف. يُعرض كما تكتبه الحواسيب.',
  'links.open': 'فتح {host}',
  'links.copy': 'نسخ العنوان',
  'links.stay': 'البقاء هنا',
};
