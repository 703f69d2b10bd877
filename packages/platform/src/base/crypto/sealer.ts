import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto';

const version = 'v1';

/**
 * Seals secrets per tenant: AES-256-GCM (NIST SP 800-38D) under a key derived from the installation's sealing key and
 * the tenant (HKDF-SHA-256, RFC 5869), bound to `purpose`. A text sealed for one tenant or purpose does not open for
 * another.
 */
export class Sealer {
  private readonly masterKey: Buffer;

  /** @param masterKey 32 bytes. */
  constructor(masterKey: Buffer) {
    if (masterKey.length !== 32) throw new Error('The sealing key must have 32 bytes.');
    this.masterKey = masterKey;
  }

  seal(plain: string, tenant: string, purpose: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.keyOf(tenant), nonce);
    cipher.setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${version}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
  }

  /** Throws if the text was changed, or belongs to another tenant or purpose. */
  open(sealedText: string, tenant: string, purpose: string): string {
    const [textVersion, nonce, sealed] = sealedText.split('.');
    if (textVersion !== version || !nonce || !sealed) throw new Error('Not a sealed text of this version.');
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.keyOf(tenant), Buffer.from(nonce, 'base64url'));
    decipher.setAAD(Buffer.from(purpose));
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
  }

  /**
   * Returns 64 bits in hex that recognise equal texts of one purpose (HMAC-SHA-256, RFC 2104). Guesses can't be tested
   * against it without the sealing key.
   */
  fingerprint(text: string, purpose: string): string {
    return createHmac('sha256', this.keyOf(`fingerprint/${purpose}`))
      .update(text)
      .digest('hex')
      .slice(0, 16);
  }

  private keyOf(tenant: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.masterKey, 'parley', tenant, 32));
  }
}

/** Returns 256 random bits, for session ids and one-time tokens. */
export const randomSecret = (): string => randomBytes(32).toString('base64url');

/** Returns the hash of a secret to store: SHA-256, enough for 256 random bits. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url');
