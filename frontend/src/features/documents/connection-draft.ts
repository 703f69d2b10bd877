import type { Connection, ConnectionSource } from '@parley/contracts';

/** What stands in the form's fields, for all kinds of sources. */
export type SourceDraft = {
  kind: ConnectionSource['kind'];
  start: 'page' | 'sitemap';
  address: string;
  below: string;
  depth: string;
  pages: string;
  endpoint: string;
  region: string;
  bucket: string;
  prefix: string;
  accessKeyId: string;
  secret: string;
};

const empty: SourceDraft = {
  kind: 'web',
  start: 'page',
  address: '',
  below: '',
  depth: '3',
  pages: '500',
  endpoint: '',
  region: 'us-east-1',
  bucket: '',
  prefix: '',
  accessKeyId: '',
  secret: '',
};

export function draftOf(connection: Connection | null): SourceDraft {
  if (!connection) return empty;
  const { source } = connection;
  if (source.kind === 'web') return { ...empty, ...source, depth: String(source.depth), pages: String(source.pages) };
  return { ...empty, ...source };
}

/** Where the start lies, so that reading stays beside it and below. */
export function folderOf(address: string): string {
  const path = URL.parse(address.trim())?.pathname ?? '/';
  return path.slice(0, path.lastIndexOf('/') + 1) || '/';
}

export const isAddress = (text: string): boolean => /^https?:\/\/[^\s]+$/.test(text) && URL.parse(text) !== null;
const isCount = (text: string, most: number): boolean => /^\d+$/.test(text) && Number(text) <= most;

/** By field, whether what is typed can be sent. */
export const isFine = {
  address: isAddress,
  depth: (text: string) => isCount(text, 10),
  pages: (text: string) => isCount(text, 5_000) && Number(text) > 0,
  bucket: (text: string) => /^[a-z0-9][a-z0-9.-]{1,62}$/.test(text),
  accessKeyId: (text: string) => /^[\x21-\x7E]{1,128}$/.test(text),
};

export function sourceOf(draft: SourceDraft): ConnectionSource {
  const { start, address, below, depth, pages, endpoint, region, bucket, prefix, accessKeyId } = draft;
  if (draft.kind === 'upload') return { kind: 'upload' };
  if (draft.kind === 'bucket')
    return { kind: 'bucket', endpoint: endpoint.trim(), region, bucket, prefix, accessKeyId };
  const path = below.trim() || (start === 'page' ? folderOf(address) : '/');
  return {
    kind: 'web',
    start,
    address: address.trim(),
    below: path.startsWith('/') ? path : `/${path}`,
    depth: Number(depth),
    pages: Number(pages),
  };
}

/** Where a sync calls first. */
export const addressOf = (source: ConnectionSource): string =>
  source.kind === 'web' ? source.address : source.kind === 'bucket' ? source.endpoint : '';
