import type { backups as english } from '../en/backups';
import type { Part } from '../languages';

/** Simplified Chinese for copies of the library, and for the way back to a whole one. Part of `words`. */
export const backups: Part<'zh', typeof english> = {
  'backups.title': '备份',
  'backups.what': '窗口打开期间，资料库若有变化，每天会自动复制一份。较旧的副本会让位给较新的；手动建立的会保留。',
  'backups.last': '上次备份：{when}',
  'backups.none': '还没有备份。',
  'backups.now': '立即备份',
  'backups.made': '已备份：{size}',
  'backups.list': '备份，最新的在前',
  'backups.daily': '自动建立',
  'backups.upgrade': 'Gleaner 更新之前',
  'backups.by_hand': '手动建立',
  'backups.restore': '恢复…',
  'backups.restore.label': '恢复 {date} 的备份…',
  'backups.ask': '恢复到 {date}？',
  'backups.ask.aside': '此后到达或读过的内容不在其中。当前的资料库会移到 {folder} 保存，绝不删除。',
  'backups.restore.do': '恢复',
  'backups.where': '资料库位于',
  'backups.show': '打开文件夹',

  'backups.damage': '如果资料库中有内容无法读取',
  'backups.recover': '恢复可读取的内容',
  'backups.recover.what':
    '用仍可读取的一切建立新的资料库，缺失的部分取自最新的备份。损坏的资料库会移到 {folder} 保存，绝不删除。',
  'backups.recover.no_backup':
    '用仍可读取的一切建立新的资料库；没有备份可用来填补缺失。损坏的资料库会移到 {folder} 保存，绝不删除。',
  'backups.choose': '恢复备份…',

  'backups.backing_up': '正在复制资料库…',
  'backups.restoring': '正在放回备份，并检查其是否完整…',
  'backups.recovering': '正在读取可读取的内容。资料库较大时需要几分钟；窗口可以保持打开。',
  'backups.busy': '另一个程序打开了资料库：第二个窗口或 glean。请将其关闭后重试。没有任何改动。',
  'backups.not_whole': '此备份无法完整读取。没有任何改动；请选择其他备份。',

  // What came of it
  'renewed.restored': '备份已恢复',
  'renewed.recovered': '资料库已恢复',
  'renewed.feeds': { other: '{count} 个订阅源' },
  'renewed.articles': { other: '{count} 篇文章' },
  'renewed.as_of': '资料库现为 {date} 时的状态。',
  'renewed.whole': '全部内容均可读取。',
  'renewed.filled': '有些内容无法读取。缺失的部分取自 {date} 的备份（以其所含为限）。',
  'renewed.gaps': '有些内容无法读取，也没有备份可用来填补。',
  'renewed.lost': '无法读取的内容',
  'renewed.pieces': { other: '{what}：{count} 处' },
  'renewed.aside': '原来的资料库保存在',
};
