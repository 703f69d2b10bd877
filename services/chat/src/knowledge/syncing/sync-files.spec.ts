import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { documentEndings } from '@parley/contracts';
import { pageOf, pdfOf, xlsxOf } from '@parley/testing/files';
import { aSite, aViewer, syncBench, web } from '../../testing/sync-bench.spec-setup.ts';

const bench = await syncBench();
const site = await aSite();
bench.allow(site.origin);
beforeAll(async () => {
  await bench.ready();
  await bench.aWorker();
});
afterAll(async () => {
  site.close();
  await bench.end();
});

test('a web site has files that are read like those that are uploaded, and as large ones', async () => {
  site.page('/', 'Start', '/report.pdf', '/prices.xlsx', '/endless.pdf', '/picture.png');
  const pdf = pdfOf([pageOf(null, [['28 days.']])]);
  const padded = Buffer.concat([pdf.subarray(0, 9), Buffer.from(`%${'x'.repeat(6_000_000)}\n`), pdf.subarray(9)]);
  site.pages.set('/report.pdf', { type: 'application/pdf', body: padded });
  site.pages.set('/prices.xlsx', { type: 'application/octet-stream', body: xlsxOf({ Prices: [['City', 'Rent']] }) });
  site.pages.set('/endless.pdf', {
    act: (_request, response) =>
      void response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '25000001' }).write('%PDF'),
  });
  site.pages.set('/picture.png', { type: 'image/png', body: 'png' });
  const viewer = aViewer();
  const made = await bench.create(viewer, web(site.origin));
  await bench.untilSynced(viewer, made);
  expect(await bench.documentsOf(viewer, made)).toEqual([
    'Start: stored',
    'endless.pdf: too-large',
    'prices.xlsx: stored',
    'report.pdf: stored',
  ]);
  expect(await bench.typesOf(viewer, made)).toEqual(
    [documentEndings.html, documentEndings.pdf, documentEndings.pdf, documentEndings.xlsx].toSorted(),
  );
});
