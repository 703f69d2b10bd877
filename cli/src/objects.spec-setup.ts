import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Speaks as much of S3 as a source is read by: a bucket whose list comes a page at a time. */
export async function startObjects(pageSize: number) {
  const objects = new Map<string, string>();
  const waiting = new Set<{ left: number; go: () => void }>();
  const etagOf = (text: string): string => `&quot;${createHash('md5').update(text).digest('hex')}&quot;`;
  const listAfter = (after: string): string => {
    const keys = [...objects.keys()].toSorted().filter((key) => key > after);
    const page = keys.slice(0, pageSize);
    const contents = page.map((key) => {
      const text = objects.get(key)!;
      return `<Contents><Key>${key}</Key><ETag>${etagOf(text)}</ETag><Size>${text.length}</Size></Contents>`;
    });
    const isMore = keys.length > page.length;
    const next = isMore ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isMore}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`;
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://localhost');
    if (url.searchParams.has('list-type')) {
      response.writeHead(200, { 'content-type': 'application/xml' });
      return void response.end(listAfter(url.searchParams.get('continuation-token') ?? ''));
    }
    const text = objects.get(decodeURIComponent(url.pathname).replace('/docs/', ''));
    response.writeHead(text === undefined ? 404 : 200).end(text);
    for (const each of waiting) if ((each.left -= 1) === 0) each.go();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    put: (key: string, text: string) => void objects.set(key, text),
    remove: (key: string) => void objects.delete(key),
    /** Resolves once so many objects more have been asked for, or after two seconds where nothing is asked any more. */
    nextAsked: (count: number): Promise<void> =>
      new Promise((resolve) => {
        const wait = { left: count, go: () => (waiting.delete(wait), clearTimeout(timer), resolve()) };
        const timer = setTimeout(wait.go, 2_000);
        waiting.add(wait);
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
