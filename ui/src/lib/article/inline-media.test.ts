// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { linkMedia, mediaAt } from './inline-media';

function page(html: string): Document {
  document.body.innerHTML = html;
  linkMedia(document.body, 'abc', (file) => `Play ${file}`);
  return document;
}

it('plays audio and video of an article in the player', () => {
  const doc = page(
    '<audio controls src="https://e.org/talks/Harbour%20talk.mp3?x=1"></audio>' +
      '<p>Text</p><video title="Low tide"><source src="https://e.org/a.webm" type="video/webm; codecs=vp9"></video>',
  );
  const links = [...doc.querySelectorAll('p.embed > a')];
  expect(links.map((link) => link.textContent)).toEqual(['Play Harbour talk.mp3', 'Play Low tide']);
  expect(doc.querySelector('audio, video')).toBeNull();
  const plain = { length: null, duration: null, title: null };
  expect(mediaAt(doc, 'gleaner-act://abc/play/0')).toEqual({
    url: 'https://e.org/talks/Harbour%20talk.mp3?x=1',
    mime_type: 'audio/mpeg',
    ...plain,
  });
  expect(mediaAt(doc, 'gleaner-act://abc/play/1')).toEqual({
    url: 'https://e.org/a.webm',
    mime_type: 'video/webm',
    ...plain,
  });
  expect(mediaAt(doc, 'gleaner-act://abc/play/2')).toBeNull();
});

it('shows the poster of a video', () => {
  const doc = page('<video src="https://e.org/a.mp4" data-gl-poster="https://e.org/a.jpg"></video>');
  expect(doc.querySelector('p.gl-video .gl-poster img')?.getAttribute('data-gl-src')).toBe('https://e.org/a.jpg');
});

it('leaves media without an address of the web', () => {
  const doc = page('<audio src="data:audio/wav;base64,AA=="></audio><video></video><audio src="%"></audio>');
  expect(doc.querySelectorAll('audio, video')).toHaveLength(3);
});
