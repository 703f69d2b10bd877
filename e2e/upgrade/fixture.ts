import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Facts } from './facts.ts';
import type { Line } from './line.ts';
import type { Name } from './people.ts';
import type { Secrets } from './scene.ts';
import type { Tree } from './tree.ts';
import type { Waiting } from './waiting.ts';

const folder = join(import.meta.dirname, 'fixtures');
/** No fixture is larger: all of them are in the repository. */
export const mostBytes = 5_000_000;

/** An answer that was not written yet. */
export type Pending = { readonly name: Name; readonly conversationId: string; readonly question: string };
/** What a fixture holds and what has to be true of it in every later release. */
export type Expected = {
  readonly version: string;
  /** Of a state between two releases: it is opened once in each edition, without kills and backup. */
  readonly isBetween?: boolean;
  readonly commit: string;
  /** When it was written: the fixture's own present. */
  readonly takenAt: string;
  readonly orgIds: { readonly Harbour: string; readonly Lighthouse: string };
  readonly facts: Facts;
  readonly secrets: Secrets;
  /** A dead letter of Harbour in org, whose handling nothing stands in the way of. */
  readonly deadLetterId: string;
  /** Chats that a release without branches has left behind. */
  readonly lines?: readonly Line[];
  /** A chat with branches; absent in releases without. */
  readonly tree?: Tree;
  /** Imports, exports and files; absent in releases without. */
  readonly waiting?: Waiting;
  /** Half written under a hard limit when the process was killed. */
  readonly running: Pending;
  /** Waited for a slot. */
  readonly queued: Pending;
  /** Uploaded and not read; not in the backup. */
  readonly unread: { readonly id: string; readonly word: string };
};

export class Fixture {
  readonly path: string;
  readonly expected: Expected;

  private constructor(path: string) {
    this.path = path;
    this.expected = JSON.parse(readFileSync(join(path, 'expected.json'), 'utf8')) as Expected;
  }

  /** Those of all releases. Throws when there is none: then a check would prove nothing. */
  static all(): Fixture[] {
    const fixtures = readdirSync(folder).map((name) => new Fixture(join(folder, name)));
    if (fixtures.length === 0) throw new Error('There is no fixture.');
    return fixtures;
  }

  static of(version: string): Fixture {
    return new Fixture(join(folder, version));
  }

  /** Returns the fixtures of the two newest releases: an installation may skip one release, but hardly two. */
  static ofNewestReleases(): Fixture[] {
    const byVersion = new Intl.Collator('en', { numeric: true }).compare;
    const released = Fixture.all().filter(({ expected }) => !expected.isBetween);
    return released.toSorted((one, other) => byVersion(one.expected.version, other.expected.version)).slice(-2);
  }

  /** Into a new folder, with the modes that files had. */
  unpackTo(part: 'data' | 'files', target: string): void {
    unpack(join(this.path, `${part}.tar.gz`), target);
  }

  /** The tar that `parley backup` wrote. */
  writeBackup(file: string): void {
    writeFileSync(file, gunzipSync(readFileSync(join(this.path, 'backup.tar.gz'))), { mode: 0o600 });
  }

  get databases(): string {
    return gunzipSync(readFileSync(join(this.path, 'databases.ejson.gz'))).toString();
  }
}

/** Packs a folder so that it says nothing of this machine: no user, no group. */
export function pack(source: string, file: string, leftOut: readonly string[] = []): void {
  const options = [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    ...leftOut.map((name) => `--exclude=${name}`),
  ];
  writeFileSync(file, compress(tar([...options, '-C', source, '-cf', '-', '.'])));
}

function unpack(file: string, target: string): void {
  mkdirSync(target, { recursive: true, mode: 0o700 });
  tar(['-C', target, '-xpf', '-'], gunzipSync(readFileSync(file)));
}

export const compress = (content: Uint8Array): Buffer => gzipSync(content, { level: 9 });

function tar(args: readonly string[], input?: Buffer): Buffer {
  const { status, stdout, stderr } = spawnSync('tar', args, { input, maxBuffer: 1_000_000_000 });
  if (status !== 0) throw new Error(`tar ended with ${status}: ${stderr.toString()}`);
  return stdout;
}
