import { expect, test } from '@jest/globals';
import { deviceOf } from './device.ts';

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0';
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const android = 'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0', 'Firefox 146', 'Linux', 'computer'],
  [`${windows} Safari/537.36`, 'Chrome 143', 'Windows', 'computer'],
  [`${windows} Safari/537.36 Edg/143.0.0.0`, 'Edge 143', 'Windows', 'computer'],
  [`${windows} Safari/537.36 OPR/120.0.0.0`, 'Opera 120', 'Windows', 'computer'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari 26',
    'macOS',
    'computer',
  ],
  [`${iPhone} Version/26.0 Mobile/15E148 Safari/604.1`, 'Safari 26', 'iOS', 'phone'],
  [`${iPhone} CriOS/143.0.1 Mobile/15E148 Safari/604.1`, 'Chrome 143', 'iOS', 'phone'],
  [`${android} Chrome/143.0.0.0 Mobile Safari/537.36`, 'Chrome 143', 'Android', 'phone'],
  [`${android} Chrome/143.0.0.0 Safari/537.36`, 'Chrome 143', 'Android', 'tablet'],
  ['curl/8.5.0', null, null, 'computer'],
  [null, null, null, 'computer'],
])('reads browser, system and kind of device from the user agent %s', (userAgent, ...device) => {
  const { browser, system, kind } = deviceOf(userAgent);
  expect([browser, system, kind]).toEqual(device);
});
