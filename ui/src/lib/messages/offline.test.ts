import { describe, expect, it } from 'vitest';
import type { OfflineProgress, OfflineState, ErrorCode } from '../ipc';
import { downloadedText, downloadProgressText, downloadName, downloadOf } from './offline';
import { errorText } from './errors';

const state: OfflineState = {
  settings: {
    all: downloadOf('none'),
    starred: downloadOf('both'),
    max_total_bytes: 2_000_000_000,
    max_image_bytes: 10_000_000,
    paused: false,
  },
  queued: 0,
  failed: 0,
  texts: 0,
  images: 0,
  bytes: 0,
  running: false,
  wait: null,
};
const progress: OfflineProgress = {
  running: true,
  texts: 1,
  images: 12,
  failed: 0,
  remaining: 3,
  offline: false,
  other_process: false,
};

describe('downloads', () => {
  it('show the stored, waiting and failed downloads', () => {
    expect(downloadedText(state)).toEqual(['No texts or images downloaded yet.']);
    const full = { ...state, texts: 1, images: 2000, bytes: 812_000_000, queued: 2, failed: 1 };
    expect(downloadedText(full)).toEqual([
      'Downloaded: 1 full text · 2,000 images · 812 MB',
      '2 texts and images are waiting to be downloaded.',
      '1 text or image could not be downloaded.',
    ]);
    expect(downloadedText({ ...full, wait: 'battery' })[2]).toBe('They wait while the computer runs on battery.');
    expect(downloadedText({ ...state, wait: 'metered' }), 'nothing waits').toHaveLength(1);
  });

  it('show the progress, or why they are waiting', () => {
    expect(downloadProgressText(null)).toBe('');
    expect(downloadProgressText(progress)).toBe('Downloading: 1 full text · 12 images');
    expect(downloadProgressText({ ...progress, running: false })).toBe('');
    expect(downloadProgressText({ ...progress, running: false, offline: true })).toContain('offline');
    expect(downloadProgressText({ ...progress, running: false, other_process: true })).toContain('Another Gleaner');
  });

  it('are chosen by one of four names', () => {
    for (const name of ['none', 'text', 'images', 'both'] as const) expect(downloadName(downloadOf(name))).toBe(name);
  });

  it('explain why there is no full text', () => {
    const explain = (code: ErrorCode) => errorText({ code, params: {} }).what;
    expect(explain('less_text')).toContain('less text than the feed');
    expect(explain('no_article')).toContain('No article');
  });
});
