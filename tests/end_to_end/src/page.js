// What a person using assistive technology would find: elements by role and accessible name. Injected once a page.
window.__e2e = (() => {
  const words = (text) => (text ?? '').replace(/\s+/g, ' ').trim();
  const visible = (el) => {
    if (el.closest('[inert]') || el.closest('[aria-hidden="true"]')) return false;
    const box = el.getBoundingClientRect();
    const style = getComputedStyle(el);
    return box.width > 0 && box.height > 0 && style.visibility !== 'hidden';
  };
  const text = (el) => {
    let out = '';
    for (const node of el.childNodes) {
      if (node.nodeType === 3) out += node.data;
      // A field inside its own label would be named by itself.
      else if (/^(INPUT|SELECT|TEXTAREA)$/.test(node.tagName ?? '')) continue;
      else if (node.nodeType === 1 && node.getAttribute('aria-hidden') !== 'true') out += ` ${name(node) || ''} `;
    }
    return words(out);
  };
  const name = (el) => {
    const by = el.getAttribute('aria-labelledby');
    if (by) return words(by.split(/\s+/).map((id) => text(document.getElementById(id) ?? document.createElement('i'))).join(' '));
    const label = words(el.getAttribute('aria-label'));
    if (label) return label;
    if (el.labels?.length) return words([...el.labels].map(text).join(' '));
    if (el.tagName === 'IMG') return words(el.alt);
    return text(el) || words(el.title) || words(el.placeholder);
  };
  const implied = {
    BUTTON: 'button', A: 'link', H1: 'heading', H2: 'heading', H3: 'heading', DIALOG: 'dialog', NAV: 'navigation', MAIN: 'main',
    PROGRESS: 'progressbar', SELECT: 'combobox', TEXTAREA: 'textbox', IFRAME: 'frame', SECTION: 'region', ARTICLE: 'article', LI: 'listitem',
  };
  const inputs = { checkbox: 'checkbox', radio: 'radio', range: 'slider', search: 'searchbox', button: 'button', submit: 'button' };
  const role = (el) =>
    el.getAttribute('role') ?? (el.tagName === 'INPUT' ? (inputs[el.type] ?? 'textbox') : implied[el.tagName]) ?? '';
  // A name begins with what it is called; a row of a list says first whether it is unread.
  const answers = (el, called) => {
    const own = name(el).replace(/^(Unread|Starred), /, '').replace(/^(Starred), /, '');
    return own === called || (own.startsWith(called) && /^[\s,.]/.test(own.slice(called.length)));
  };
  const all = (wanted, called) => {
    const found = [...document.querySelectorAll('*')].filter(
      (el) => role(el) === wanted && visible(el) && (called === null || answers(el, called)),
    );
    // What an open dialog has of it is meant; what lies behind it nobody can reach.
    const reached = found.filter((el) => el.closest('[role="dialog"], dialog'));
    return reached.length > 0 ? reached : found;
  };
  const frame = () => document.querySelector('iframe')?.contentDocument ?? null;
  return { all, name, role, visible, words, frame };
})();
