/** The marks of the changes on a page that compares two versions: counted, and shown one after the other. */
import { changes } from './changes.svelte';

export class ChangeMarks {
  /** The first mark of each change. */
  private marks: HTMLElement[] = [];

  /** Counts the changes on a page and shows the first; `null`: the page is not a comparison. */
  setPage(doc: Document | null): void {
    this.marks = doc ? [...doc.querySelectorAll<HTMLElement>('[data-change]')] : [];
    if (!doc) return;
    for (const mark of this.marks) mark.classList.remove('gl-here');
    changes.count = this.marks.length;
    this.go(1);
  }

  /** Scrolls to the next or previous change, wrapping around. */
  go(direction: 1 | -1): void {
    const { length } = this.marks;
    if (length === 0) return;
    this.marks[changes.place]?.classList.remove('gl-here');
    changes.place = (Math.max(changes.place, direction > 0 ? -1 : 0) + direction + length) % length;
    const mark = this.marks[changes.place];
    mark?.classList.add('gl-here');
    mark?.scrollIntoView({ block: 'center' });
  }
}
