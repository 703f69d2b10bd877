import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@parley/testing';
import { aPage, aSite, aViewer, numbers, syncBench, web } from '../../testing/sync-bench.spec-setup.ts';

const bench = await syncBench();
const site = await aSite();
bench.allow(site.origin);
beforeAll(async () => {
  await bench.ready();
  await bench.aWorker();
});
afterEach(() => {
  site.pages.clear();
  site.asked.length = 0;
});
afterAll(async () => {
  site.close();
  await bench.end();
});
const untilIdle = bench.untilSynced;

describe('a web site', () => {
  test('is read from its start along its links, below its path and as far as it may go', async () => {
    site.page(
      '/wiki/',
      'Start',
      'one',
      '/wiki/two#part',
      '/elsewhere',
      '/wikipedia',
      'https://example.org/',
      'mailto:a@b.c',
    );
    site.page('/wiki/one', 'One', 'deep');
    site.page('/wiki/two', 'Two', '/wiki/one');
    site.page('/wiki/deep', 'Deep', 'deeper');
    site.page('/wiki/deeper', 'Deeper');
    site.page('/wikipedia', 'Another path');
    const viewer = aViewer();
    const made = await bench.create(
      viewer,
      web(site.origin, { address: `${site.origin}/wiki/`, below: '/wiki', depth: 2 }),
    );
    const synced = await untilIdle(viewer, made);
    expect(await bench.documentsOf(viewer, made)).toEqual([
      'Deep: stored',
      'One: stored',
      'Start: stored',
      'Two: stored',
    ]);
    expect(numbers(synced)).toEqual({ found: 4, unchanged: 0, fetched: 4, removed: 0, failed: 0 });
    expect(synced).toMatchObject({
      state: 'ready',
      nextSyncAt: null,
      documents: { all: 4 },
      lastSync: { failure: null },
    });
    expect(site.asked).not.toContain('/elsewhere');
    expect(site.asked).not.toContain('/wikipedia');
  });

  test('is asked only for what has changed the next time', async () => {
    site.page('/', 'Start', '/a', '/b', '/c');
    for (const name of ['a', 'b', 'c']) site.page(`/${name}`, name.toUpperCase());
    site.pages.set('/c', { body: aPage('C') });
    const viewer = aViewer();
    const made = await bench.create(viewer, web(site.origin));
    await untilIdle(viewer, made);
    site.asked.length = 0;
    site.page('/b', 'New B');
    await bench.sync(viewer, made);
    expect(numbers(await untilIdle(viewer, made, 2))).toEqual({
      found: 4,
      unchanged: 3,
      fetched: 1,
      removed: 0,
      failed: 0,
    });
    expect(site.asked.toSorted()).toEqual(['/ 304', '/a 304', '/b', '/c', '/robots.txt']);
    expect(await bench.documentsOf(viewer, made)).toEqual(['A: stored', 'C: stored', 'New B: stored', 'Start: stored']);
  });

  test('says what it does not let us in for, and keeps what robots.txt and pages themselves keep back', async () => {
    site.pages.set('/robots.txt', { type: 'text/plain', body: 'User-agent: *\nDisallow: /private' });
    site.page('/', 'Start', '/private/x', '/hidden', '/closed', '/broken', '/picture.png');
    site.page('/private/x', 'Private');
    site.pages.set('/hidden', { body: `<meta name="robots" content="noindex">${aPage('Hidden')}` });
    site.pages.set('/closed', { status: 403 });
    site.pages.set('/broken', { status: 500 });
    site.pages.set('/picture.png', { type: 'image/png', body: 'png' });
    const viewer = aViewer();
    const made = await bench.create(viewer, web(site.origin));
    const synced = await untilIdle(viewer, made);
    expect(await bench.documentsOf(viewer, made)).toEqual([
      'Start: stored',
      'broken: source-failed',
      'closed: source-refused',
    ]);
    expect(site.asked).not.toContain('/private/x');
    expect(synced).toMatchObject({ documents: { failed: 2 }, lastSync: { failed: 2 } });
    // Mended at the source, a person asks for it again.
    site.page('/closed', 'Open now');
    site.page('/broken', 'Whole now');
    const params = { connectionId: made.id };
    expect(await bench.service.retry({ ...viewer, params } as never)).toEqual({ count: 2 });
    await untilIdle(viewer, made, 2);
    expect(await bench.documentsOf(viewer, made)).toEqual(['Open now: stored', 'Start: stored', 'Whole now: stored']);
  });

  test('is read by its sitemap, and by the sitemaps that one lists', async () => {
    const list = (kind: string, tag: string, ...addresses: readonly string[]) =>
      `<?xml version="1.0"?><${kind}>${addresses.map((each) => `<${tag}><loc>${site.origin}${each}</loc></${tag}>`).join('')}</${kind}>`;
    const xml = (body: string) => ({ type: 'application/xml', body });
    site.pages.set('/sitemap.xml', xml(list('sitemapindex', 'sitemap', '/one.xml', '/two.xml')));
    site.pages.set('/one.xml', xml(list('urlset', 'url', '/docs/a', '/blog/b')));
    site.pages.set('/two.xml', xml(list('urlset', 'url', '/docs/c', '/docs/a')));
    site.page('/docs/a', 'A', '/docs/unlisted');
    site.page('/docs/c', 'C');
    const viewer = aViewer();
    const source = web(site.origin, { start: 'sitemap', address: `${site.origin}/sitemap.xml`, below: '/docs' });
    const made = await bench.create(viewer, source);
    await untilIdle(viewer, made);
    expect(await bench.documentsOf(viewer, made)).toEqual(['A: stored', 'C: stored']);
  });
});

describe('a site that means no good', () => {
  test('ends: redirects in a circle, links without end, huge files, and a page that never ends', async () => {
    site.page('/', 'Start', '/loop/a', '/trap/1', '/huge', '/declared', '/out');
    const redirect = (location: string) => ({ status: 302, headers: { location } });
    site.pages.set('/loop/a', redirect('/loop/b'));
    site.pages.set('/loop/b', redirect('/loop/a'));
    site.pages.set('/out', redirect('http://169.254.169.254/latest/meta-data'));
    for (let page = 1; page < 60; page += 1)
      site.page(`/trap/${page}`, `Trap ${page}`, `/trap/${page + 1}`, `/trap/${page}?again`);
    site.pages.set('/declared', {
      act: (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/html', 'content-length': '900000000' }).write('x'),
    });
    const block = 'x'.repeat(1_000_000);
    site.pages.set('/huge', {
      act: (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        const pour = () => {
          while (!response.destroyed && response.write(block));
        };
        response.on('drain', pour);
        pour();
      },
    });
    const viewer = aViewer();
    const made = await bench.create(viewer, web(site.origin, { depth: 10, pages: 12 }));
    const synced = await untilIdle(viewer, made);
    expect(synced.lastSync).toMatchObject({ found: 12, isCut: true, failure: null });
    const documents = await bench.documentsOf(viewer, made);
    expect(documents).toEqual(expect.arrayContaining(['Start: stored', 'declared: too-large', 'huge: too-large']));
    expect(documents.some((each) => each.startsWith('a:') || each.startsWith('out'))).toBe(false);
    expect(site.asked.length).toBeLessThan(40);
  });

  test('is not called where its name leads into a private network', async () => {
    const inside = await aSite();
    inside.page('/', 'Secret');
    const viewer = aViewer();
    const given = { source: web(inside.origin) };
    await expect(bench.create(viewer, given.source)).rejects.toMatchObject({ code: 'platform.address-not-allowed' });
    expect(await bench.preview.preview({ ...viewer, body: given } as never)).toMatchObject({
      failure: 'not-allowed',
      found: 0,
    });
    // A name that resolved to something else when it was saved: the check is made as it is dialled.
    const made = await bench.create(viewer, web(site.origin));
    await untilIdle(viewer, made);
    const row = (await bench.connectionRepository.find(viewer.scope, made.id))!;
    await bench.work.run(viewer.principal, (tx) =>
      bench.connectionRepository.change(
        viewer.scope,
        row,
        { source: web(inside.origin.replace('127.0.0.1', 'localhost')) },
        tx,
      ),
    );
    await bench.sync(viewer, made);
    expect((await untilIdle(viewer, made, 2)).lastSync).toMatchObject({ failure: 'not-allowed' });
    expect(inside.asked).toEqual([]);
    inside.close();
  });

  test('that is away keeps its index, waits longer each time, and says when it is tried again', async () => {
    site.page('/', 'Start', '/a');
    site.page('/a', 'A');
    const viewer = aViewer();
    const made = await bench.create(viewer, web(site.origin));
    await untilIdle(viewer, made);
    site.pages.clear();
    site.pages.set('/robots.txt', { status: 503 });
    const waits: number[] = [];
    for (let failed = 1; failed <= 3; failed += 1) {
      await bench.sync(viewer, made);
      const { state, nextSyncAt, lastSync } = await untilIdle(viewer, made, failed + 1);
      expect([state, lastSync?.failure]).toEqual(['failing', 'unreachable']);
      waits.push((new Date(nextSyncAt!).getTime() - bench.clock.now().getTime()) / 60_000);
    }
    expect(waits).toEqual([1, 2, 4]);
    expect(await bench.documentsOf(viewer, made)).toHaveLength(2);
    site.pages.clear();
    site.page('/', 'Start', '/a');
    site.page('/a', 'A');
    await bench.sync(viewer, made);
    expect(await untilIdle(viewer, made, 5)).toMatchObject({ state: 'ready', nextSyncAt: null });
  });

  test('of which a page cannot be fetched now keeps that page in answers, as it was', async () => {
    site.page('/', 'Start', '/a', '/b');
    for (const name of ['a', 'b']) site.page(`/${name}`, name.toUpperCase());
    const viewer = aViewer();
    const made = await bench.create(viewer, web(site.origin));
    await untilIdle(viewer, made);
    site.pages.set('/a', { status: 503 });
    site.pages.set('/b', { status: 403 });
    await bench.sync(viewer, made);
    expect(await untilIdle(viewer, made, 2)).toMatchObject({
      documents: { all: 3, failed: 0 },
      lastSync: { failed: 2 },
    });
    expect(await bench.documentsOf(viewer, made)).toEqual(['A: stored', 'B: stored', 'Start: stored']);
  });

  test('whose start is gone keeps its index too', async () => {
    site.page('/', 'Start', '/a');
    site.page('/a', 'A');
    const viewer = aViewer();
    const made = await bench.create(viewer, web(site.origin));
    await untilIdle(viewer, made);
    site.pages.delete('/');
    await bench.sync(viewer, made);
    expect((await untilIdle(viewer, made, 2)).lastSync).toMatchObject({ failure: 'not-found' });
    expect(await bench.documentsOf(viewer, made)).toHaveLength(2);
  });
});

describe('what is not in the source any more', () => {
  const pages = Array.from({ length: 19 }, (_, at) => `/p${at}`);
  // Texts: a page would start a process that reads its links.
  const all = () => {
    site.page('/', 'Start', ...pages);
    for (const path of pages) site.pages.set(path, { type: 'text/plain', body: path, etag: `"${path}"` });
  };

  test('goes by itself up to a tenth of the documents', async () => {
    all();
    const viewer = aViewer();
    const made = await bench.create(viewer, web(site.origin));
    await untilIdle(viewer, made);
    for (const path of pages.slice(0, 2)) site.pages.delete(path);
    await bench.sync(viewer, made);
    const synced = await untilIdle(viewer, made, 2);
    expect(synced).toMatchObject({ state: 'ready', removal: null, documents: { all: 18 }, lastSync: { removed: 2 } });
  });

  test.each([
    ['goes when somebody says so', true, 17],
    ['stays when somebody says so', false, 20],
  ])('beyond a tenth it waits, and %s', async (_name, remove, left) => {
    all();
    const viewer = aViewer();
    const made = await bench.create(viewer, web(site.origin));
    await untilIdle(viewer, made);
    for (const path of pages.slice(0, 3)) site.pages.delete(path);
    await bench.sync(viewer, made);
    const asking = await untilIdle(viewer, made, 2);
    expect(asking).toMatchObject({ state: 'asking', removal: { count: 3, of: 20 }, documents: { all: 20 } });
    const wish = { ...viewer, params: { connectionId: made.id }, body: { remove } };
    expect(await bench.service.decideRemoval(wish as never)).toMatchObject({ state: 'ready', removal: null });
    expect(await bench.find(viewer, made)).toMatchObject({ documents: { all: left } });
  });
});

test('an organisation has one sync at a time, and others go on beside it', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  site.pages.set('/', {
    act: (_request, response) =>
      void held.then(() => response.writeHead(200, { 'content-type': 'text/html' }).end(aPage('Slow'))),
  });
  site.page('/quick', 'Quick');
  const [viewer, other] = [aViewer(), aViewer()];
  const slow = await bench.create(viewer, web(site.origin));
  await eventually(async () => (await bench.find(viewer, slow)).state === 'syncing', 'the first one runs');
  const second = await bench.create(viewer, web(site.origin, { address: `${site.origin}/quick` }));
  const theirs = await bench.create(other, web(site.origin, { address: `${site.origin}/quick` }));
  await untilIdle(other, theirs);
  expect((await bench.find(viewer, second)).state).toBe('waiting');
  release();
  await untilIdle(viewer, slow);
  await untilIdle(viewer, second);
  expect(await bench.documentsOf(viewer, second)).toEqual(['Quick: stored']);
});
