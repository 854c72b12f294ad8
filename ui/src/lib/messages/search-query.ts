/** Messages about invalid queries. Query syntax is in backticks. */
import type { RuleError, QueryProblem } from '../ipc';
import { either } from './format';
import { currentLanguage, t } from './index';

export function problemText(problem: QueryProblem): string {
  switch (problem.kind) {
    case 'unknown_field':
      return t('query.unknown_field', problem);
    case 'no_value':
      return t('query.no_value', problem);
    case 'not_one_of': {
      const { field, meant } = problem;
      const values = either(problem.takes.map((value) => `\`${value}\``));
      return meant === null
        ? t('query.not_one_of', { field, values })
        : t('query.not_one_of.meant', { field, values, meant });
    }
    case 'no_date':
      return t('query.no_date', problem);
    case 'no_number':
      return t('query.no_number');
    case 'no_language':
      return t('query.no_language');
    case 'unclosed_quote':
      return t('query.unclosed_quote');
    case 'unclosed_parenthesis':
      return t('query.unclosed_parenthesis');
    case 'unopened_parenthesis':
      return t('query.unopened_parenthesis');
    case 'empty_parentheses':
      return t('query.empty_parentheses');
    case 'no_words':
      return t('query.no_words');
    case 'too_deep':
      return t('query.too_deep');
    case 'too_long':
      return t('query.too_long', problem);
  }
}

/** Returns why a rule is skipped. Right-to-left text would mirror the query syntax in it, such as `>1000`. */
export function brokenText(broken: RuleError): string {
  if (broken.kind !== 'query') return t('rules.broken.actions');
  const syntax = currentLanguage().direction === 'rtl' ? '\u2066$1\u2069' : '$1';
  return t('rules.broken', { why: problemText(broken.problem).replace(/`([^`]*)`/g, syntax) });
}
