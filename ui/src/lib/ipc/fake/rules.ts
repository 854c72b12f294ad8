/** The fake's rules: what they say, what they would do and did. They do nothing with what comes in. */
import type {
  ApplyProgress,
  EnableRule,
  Marked,
  OpenArticle,
  OrderRules,
  PreviewRule,
  Rule,
  RuleAction,
  RuleId,
  RulePreview,
  RuleScope,
  RuleTouch,
  SaveRule,
} from '../generated';
import type { FakeArticle } from './articles';
import { fail, row, thrown, type FakeLibrary } from './library';
import { find } from './search';

type Touch = RuleTouch & { readonly article: number };

export class FakeRules {
  private all: Rule[] = [];
  private touches: Touch[] = [];
  private applying: { cancelled: boolean } | null = null;

  constructor(
    private readonly library: FakeLibrary,
    private readonly undoable: (back: () => void) => number,
    private readonly tell: (progress: ApplyProgress) => void,
  ) {}

  handlers(wait: () => Promise<void>) {
    return {
      rules: () => this.all,
      save_rule: ({ id, ...said }: SaveRule) => {
        if (said.actions.length === 0) throw fail('invalid_input', 'a rule needs something to do');
        const undo = this.remember();
        const name = said.name.trim() || said.query.trim();
        if (id !== null) {
          this.change(id, { ...said, name });
          return { id, undo };
        }
        const added: Rule = { ...said, name, id: this.library.nextId++, enabled: true, touched: 0, broken: null };
        this.all = [...this.all, added];
        return { id: added.id, undo };
      },
      enable_rule: ({ rule_id, enabled }: EnableRule) => {
        const undo = this.remember();
        this.change(rule_id, { enabled });
        return { undo };
      },
      order_rules: ({ ids }: OrderRules) => {
        const undo = this.remember();
        this.all = this.all.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
        return { undo };
      },
      delete_rule: ({ rule_id }: RuleId) => {
        const undo = this.remember();
        this.all = this.all.filter((rule) => rule.id !== rule_id);
        return { undo };
      },
      preview_rule: (asked: PreviewRule) => this.preview(asked),
      apply_rule: ({ rule_id }: RuleId) => this.apply(this.rule(rule_id), wait),
      cancel_apply: () => {
        if (this.applying) this.applying.cancelled = true;
        return null;
      },
      notify: () => null,
      rule_touches: ({ id }: OpenArticle) =>
        this.touches
          .filter(({ article }) => article === id)
          .map((touch) => ({ ...touch, deleted: !this.all.some((rule) => rule.id === touch.rule_id) })),
    };
  }

  private rule(id: number): Rule {
    return this.all.find((rule) => rule.id === id) ?? thrown(fail('not_found'));
  }

  private change(id: number, said: Partial<Rule>): void {
    this.rule(id);
    this.all = this.all.map((rule) => (rule.id === id ? { ...rule, ...said } : rule));
  }

  private remember(): number {
    const { all } = this;
    return this.undoable(() => (this.all = all));
  }

  private answering(query: string, scope: RuleScope): FakeArticle[] | RulePreview {
    const folders = scope.kind === 'folder' ? this.library.within(scope.id) : null;
    const feeds = new Set(
      this.library.feeds
        .filter((feed) =>
          scope.kind === 'feed'
            ? feed.id === scope.id
            : folders === null || (feed.folder_id !== null && folders.has(feed.folder_id)),
        )
        .map((feed) => feed.id),
    );
    const within = this.library.articles.filter((article) => feeds.has(article.feed_id));
    const found = find(within, { query, order: 'date', after: null, limit: within.length });
    if (found.kind === 'not_understood') return found;
    const ids = new Set(found.hits.map((hit) => hit.row.id));
    return within.filter((article) => ids.has(article.id));
  }

  private preview({ query, scope, actions, most }: PreviewRule): RulePreview {
    const found = this.answering(query, scope);
    if (!Array.isArray(found)) return found;
    const counted = found.slice(0, most ?? found.length);
    return {
      kind: 'found',
      articles: counted.length,
      more: counted.length < found.length,
      newest: found.slice(0, 5).map(row),
      changes: actions.map((action) => ({ action, articles: counted.filter((a) => changes(a, action)).length })),
    };
  }

  private async apply(rule: Rule, wait: () => Promise<void>): Promise<Marked | null> {
    const found = this.answering(rule.query, rule.scope);
    if (!Array.isArray(found)) throw fail('invalid_input', found.kind);
    const run = (this.applying = { cancelled: false });
    for (let done = 0; done <= 4; done++) {
      this.tell({ done: Math.floor((found.length * done) / 4), total: found.length });
      await wait();
      if (run.cancelled) return null;
    }
    const before = found.map((article) => ({ article, read: article.read, starred: article.starred }));
    const { touches } = this;
    const at = Date.now();
    let count = 0;
    for (const { article } of before) {
      const did = rule.actions.filter((action) => changes(article, action));
      if (did.length === 0) continue;
      count++;
      this.touches = [
        ...this.touches,
        { article: article.id, rule_id: rule.id, name: rule.name, deleted: false, did, at },
      ];
      for (const { kind } of did) {
        if (kind === 'read') article.read = true;
        if (kind === 'star') article.starred = true;
      }
    }
    this.change(rule.id, { touched: rule.touched + count });
    const undo = this.undoable(() => {
      before.forEach(({ article, read, starred }) => Object.assign(article, { read, starred }));
      this.touches = touches;
      this.change(rule.id, { touched: rule.touched });
    });
    return { count, undo };
  }
}

function changes(article: FakeArticle, { kind }: RuleAction): boolean {
  return kind === 'read' ? !article.read : kind === 'star' ? !article.starred : kind !== 'notify';
}
