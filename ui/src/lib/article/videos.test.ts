// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { videoAt, videoCards } from './videos';

const poster = 'https://i.ytimg.com/vi/a1-B2_c3d4E/hqdefault.jpg';
const watch = 'https://www.youtube.com/watch?v=a1-B2_c3d4E';

function page(html: string, address: string | null, images = true, thumbnail: string | null = null): HTMLElement {
  const body = document.createElement('main');
  body.innerHTML = html;
  videoCards(body, { address, thumbnail }, images, (service) => `Watch on ${service}`);
  return body;
}
const posters = (body: HTMLElement) => [...body.querySelectorAll('img')].map((image) => image.dataset['glSrc']);

describe('videos', () => {
  it('are recognised by their address', () => {
    for (const address of [
      watch,
      'https://youtu.be/a1-B2_c3d4E?t=4',
      'https://m.youtube.com/shorts/a1-B2_c3d4E',
      'http://youtube.com/watch?list=x&v=a1-B2_c3d4E',
    ])
      expect(videoAt(address), address).toEqual({ service: 'YouTube', id: 'a1-B2_c3d4E', poster });
    expect(videoAt('https://www.dailymotion.com/video/x8abcd')?.poster).toBe(
      'https://www.dailymotion.com/thumbnail/video/x8abcd',
    );
    for (const address of [
      null,
      'https://www.youtube.com/@channel',
      'https://youtube.com.evil.example/watch?v=a1-B2_c3d4E',
      'https://www.youtube.com/watch?v=short',
      'https://a.example/?u=https://youtu.be/a1-B2_c3d4E',
    ])
      expect(videoAt(address), String(address)).toBeNull();
  });

  it('show their image in the link that replaced the player', () => {
    const body = page(`<p>Look:</p><p class="embed"><a href="${watch}">Nets (YouTube)</a></p>`, null);
    expect(posters(body)).toEqual([poster]);
    expect(body.querySelector('.gl-video > a')?.textContent).toBe('Nets (YouTube)');
    // Not requested before it comes near.
    expect(body.querySelector('img')?.getAttribute('src')).toBeNull();
  });

  it('are at the start of an article about them, once', () => {
    const body = page('<p>Notes.</p>', watch);
    expect(body.firstElementChild?.textContent).toBe('Watch on YouTube');
    expect(body.firstElementChild?.querySelector('a')?.getAttribute('href')).toBe(watch);
    expect(posters(body)).toEqual([poster]);
    expect(
      posters(page(`<p class="embed"><a href="${watch}">YouTube</a></p>`, 'https://youtu.be/a1-B2_c3d4E')),
    ).toEqual([poster]);
  });

  it('have the image of the feed if none follows from the address and the article is about them', () => {
    const image = 'https://img.example/poster.jpg';
    for (const [address, service] of [
      ['https://vimeo.com/76979871', 'Vimeo'],
      ['https://vimeo.com/channels/staffpicks/76979871', 'Vimeo'],
      ['https://www.twitch.tv/videos/1234567890', 'Twitch'],
      ['https://clips.twitch.tv/CleverWheat-abc', 'Twitch'],
      ['https://tube.example/w/9c9de5e8abcdEFGH12345x', 'PeerTube'],
      ['https://tube.example/videos/watch/9c9de5e8-0a1e-484a-b099-e80766180a6d', 'PeerTube'],
    ] as const) {
      const body = page('<p>Notes.</p>', address, true, image);
      expect(body.firstElementChild?.textContent, address).toBe(`Watch on ${service}`);
      expect(posters(body), address).toEqual([image]);
      expect(posters(page('<p>Notes.</p>', address, false, image)), address).toEqual([]);
      expect(posters(page('<p>Notes.</p>', address)), address).toEqual([]);
    }
    // Another video in an article has no image, but a card.
    const other = '<p class="embed"><a href="https://vimeo.com/11111111">Vimeo</a></p>';
    const card = page(other, 'https://a.example/post', true, image);
    expect(posters(card)).toEqual([]);
    expect(card.querySelector('.gl-video > a > .gl-poster.gl-plain')?.childElementCount).toBe(0);
    expect(card.textContent).toBe('Vimeo');
    expect(posters(page(other, 'https://vimeo.com/11111111', true, image))).toEqual([image]);
    expect(videoAt('https://a.example/w/short')).toBeNull();
  });

  it('request no image if the user does not load images', () => {
    const body = page('<p>Notes.</p>', watch, false);
    expect(posters(body)).toEqual([]);
    expect(body.firstElementChild?.textContent).toBe('Watch on YouTube');
    expect(body.querySelector('.gl-video .gl-plain')).not.toBeNull();
  });

  it('are no links to other things', () => {
    const body = page('<p class="embed"><a href="https://codepen.io/me/pen/a">CodePen</a></p>', null);
    expect(body.querySelector('.gl-poster')).toBeNull();
  });
});
