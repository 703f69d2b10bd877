import { deployables, type Deployable } from '@parley/contracts';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { randomBytes } from 'node:crypto';
import { z } from 'zod';

const keyPair = z.strictObject({
  private: z.record(z.string(), z.unknown()),
  public: z.record(z.string(), z.unknown()),
});

/**
 * Holds every key of an installation in one file (`keys.json`, 0600). Without the sealing key, sealed provider keys are
 * lost.
 */
export const keyRing = z.strictObject({
  version: z.literal(1),
  sealingKey: z.string(),
  signing: z.record(z.enum(deployables), keyPair),
});
export type KeyRing = z.infer<typeof keyRing>;

/** Creates new keys: an Ed25519 pair for each deployable, and a 256-bit sealing key. */
export async function createKeyRing(): Promise<KeyRing> {
  const signing = {} as KeyRing['signing'];
  for (const deployable of deployables) {
    const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
    signing[deployable] = {
      private: { ...(await exportJWK(pair.privateKey)) },
      public: { ...(await exportJWK(pair.publicKey)) },
    };
  }
  return { version: 1, sealingKey: randomBytes(32).toString('base64'), signing };
}

/** Returns the public keys that verify tokens of each issuer. */
export function publicKeysOf(ring: KeyRing): Record<Deployable, JWK> {
  return Object.fromEntries(deployables.map((name) => [name, ring.signing[name].public as JWK])) as Record<
    Deployable,
    JWK
  >;
}
