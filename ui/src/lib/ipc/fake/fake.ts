/** What the parts of the fake share. */
import type { Commands, Events, Feed, LibraryChanged } from '../generated';
import type { FakeLibrary } from './library';

export type Handlers = {
  [N in keyof Commands]: (args: Commands[N]['args']) => Commands[N]['result'] | Promise<Commands[N]['result']>;
};

export type Fake = {
  readonly state: string;
  readonly library: FakeLibrary;
  readonly emit: <N extends keyof Events>(name: N, payload: Events[N]) => void;
  readonly changed: (what: Partial<LibraryChanged>) => void;
  readonly undoable: (back: () => void) => number;
  readonly feedOf: (id: number) => Feed;
};
