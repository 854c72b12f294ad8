// Finds elements as assistive technology does, by role and accessible name. Injected once into each page.
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
      // A field inside its own label is not part of its name.
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
  // A name matches if it begins with `called` as a whole word; rows of a list begin with their state.
  const matches = (el, called) => {
    const own = name(el).replace(/^(Unread|Starred), /, '').replace(/^(Starred), /, '');
    return own === called || (own.startsWith(called) && /^[\s,.]/.test(own.slice(called.length)));
  };
  const all = (wanted, called) => {
    const found = [...document.querySelectorAll('*')].filter(
      (el) => role(el) === wanted && visible(el) && (called === null || matches(el, called)),
    );
    // Elements behind an open dialog cannot be reached.
    const reached = found.filter((el) => el.closest('[role="dialog"], dialog'));
    return reached.length > 0 ? reached : found;
  };
  // True when a text field has the focus, in the dialog if one is open.
  const typing = () => {
    const at = document.activeElement;
    const open = all('dialog', null);
    return !!at?.matches('input, textarea') && (open.length === 0 || open.some((dialog) => dialog.contains(at)));
  };
  const frame = () => document.querySelector('iframe')?.contentDocument ?? null;
  return { all, name, role, visible, words, frame, typing };
})();
