import { generateKeyPairSync, sign } from 'node:crypto';

const tlv = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x1_00 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: readonly Buffer[]): Buffer => tlv(0x30, ...parts);
const oid = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, 'hex'));
const time = (date: Date): Buffer =>
  tlv(
    0x17,
    Buffer.from(
      date
        .toISOString()
        .replaceAll(/[-:T]|\.\d+/g, '')
        .slice(2),
    ),
  );

/** A key and a certificate of its own for `localhost` and 127.0.0.1, good for a day (X.509 v3, RFC 5280). */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid('2a8648ce3d040302'));
  const name = sequence(tlv(0x31, sequence(oid('550403'), tlv(0x0c, Buffer.from('localhost')))));
  const names = sequence(tlv(0x82, Buffer.from('localhost')), tlv(0x87, Buffer.from([127, 0, 0, 1])));
  const isAuthority = sequence(tlv(0x01, Buffer.from([0xff])));
  const extensions = sequence(
    sequence(oid('551d11'), tlv(0x04, names)),
    sequence(oid('551d13'), tlv(0x01, Buffer.from([0xff])), tlv(0x04, isAuthority)),
  );
  const content = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(new Date(Date.now() - 3_600_000)), time(new Date(Date.now() + 24 * 3_600_000))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, extensions),
  );
  const signature = tlv(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  const der = sequence(content, algorithm, signature);
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
}
