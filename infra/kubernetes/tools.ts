import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { downloadPath, fillOnce } from '@parley/testing/servers';

export const kubernetes = '1.34.1';
const kustomize = '5.8.0';
/** As Kubernetes wants it. */
const oldestGo = 24;
const buildMs = 1_500_000;
/** Without optimising and without what debuggers read: a fifth less to compute, and what is built runs for seconds. */
const quickly = ['-gcflags=all=-N -l -dwarf=false', '-ldflags=-s -w'];

export type Tools = { readonly kustomize: string; readonly apiServer: string; readonly etcd: string };

/**
 * Modules of Kubernetes that its own module file takes from its source tree; from outside each has the release's
 * number.
 */
const staging = [
  'api',
  'apiextensions-apiserver',
  'apimachinery',
  'apiserver',
  'cli-runtime',
  'client-go',
  'cloud-provider',
  'cluster-bootstrap',
  'code-generator',
  'component-base',
  'component-helpers',
  'controller-manager',
  'cri-api',
  'cri-client',
  'csi-translation-lib',
  'dynamic-resource-allocation',
  'endpointslice',
  'externaljwt',
  'kms',
  'kube-aggregator',
  'kube-controller-manager',
  'kube-proxy',
  'kube-scheduler',
  'kubectl',
  'kubelet',
  'metrics',
  'mount-utils',
  'pod-security-admission',
  'sample-apiserver',
  'sample-cli-plugin',
  'sample-controller',
];

/** Builds kustomize from the Go module proxy, once; the reason where that cannot be. */
export function findKustomize(): { file: string } | { skipped: string } {
  if (goVersion() < oldestGo) return { skipped: `no Go 1.${oldestGo} or newer here` };
  const file = downloadPath(`kustomize-${kustomize}`);
  const wanted = `sigs.k8s.io/kustomize/kustomize/v5@v${kustomize}`;
  fillOrThrow(file, (own) => go(own, ['install', ...quickly, wanted], { GOBIN: own }), 'kustomize');
  return { file };
}

function fillOrThrow(file: string, fill: (own: string) => string | null, part: string): void {
  const reason = fillOnce(file, fill, part);
  if (reason !== null) throw new Error(reason);
}

/** Builds what is missing from the Go module proxy, once (minutes); the reason where that cannot be. */
export function findTools(): Tools | { skipped: string } {
  const kustomize = findKustomize();
  if ('skipped' in kustomize) return kustomize;
  if (!isThere('etcd', ['--version'])) return { skipped: 'no etcd here (Debian: etcd-server)' };
  const apiServer = downloadPath(`kube-apiserver-${kubernetes}`);
  fillOrThrow(apiServer, buildApiServer, 'kube-apiserver');
  return { kustomize: kustomize.file, apiServer, etcd: 'etcd' };
}

function buildApiServer(own: string): string | null {
  const replaced = staging.map((name) => `replace k8s.io/${name} => k8s.io/${name} v0${kubernetes.slice(1)}`);
  writeFileSync(
    join(own, 'go.mod'),
    ['module parley.dev/kubernetes', 'go 1.24', `require k8s.io/kubernetes v${kubernetes}`, ...replaced, ''].join('\n'),
  );
  writeFileSync(
    join(own, 'tools.go'),
    '//go:build tools\n\npackage tools\n\nimport _ "k8s.io/kubernetes/cmd/kube-apiserver"\n',
  );
  const target = join(own, 'kube-apiserver');
  return (
    go(own, ['mod', 'tidy']) ?? go(own, ['build', ...quickly, '-o', target, 'k8s.io/kubernetes/cmd/kube-apiserver'])
  );
}

/** Runs it in a folder; the reason why it failed, or null. */
function go(cwd: string, args: readonly string[], environment: Record<string, string> = {}): string | null {
  const run = spawnSync('go', args, {
    cwd,
    encoding: 'utf8',
    timeout: buildMs,
    env: { ...process.env, GOFLAGS: '', ...environment },
  });
  return run.status === 0 ? null : `go ${args[0]} failed: ${run.stderr.trim().split('\n').slice(-3).join(' ')}`;
}

/** The second part of Go's version; 0 where there is none. */
function goVersion(): number {
  const { stdout } = spawnSync('go', ['version'], { encoding: 'utf8' });
  return Number(/go1\.(\d+)/.exec(stdout ?? '')?.[1] ?? 0);
}

const isThere = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;
