/** Rules about passwords beyond their length, which the contract checks. */
const widelyUsed = new Set([
  'password1234',
  'passwordpassword',
  '123456789012',
  '1234567890123',
  '12345678901234',
  '123456789123',
  'qwertyuiop123',
  'qwertyuiopasdf',
  'qwerty123456',
  'iloveyou1234',
  'administrator',
  'adminadminadmin',
  'changemechangeme',
  'letmeinletmein',
  'welcome12345',
  'welcomewelcome',
  'abcdefghijkl',
  'abcd12345678',
  'correcthorsebatterystaple',
  'password12345',
  'p@ssw0rd1234',
  'passw0rd1234',
  'monkeymonkey',
  'dragondragon',
  'football1234',
  'baseball1234',
  'sunshine1234',
  'princess1234',
  'superman1234',
  'trustno1trustno1',
  'qazwsxedcrfv',
  '1q2w3e4r5t6y',
  'zaq12wsxcde3',
  'asdfghjkl123',
  'q1w2e3r4t5y6',
  '111111111111',
]);

/** True for passwords that guessers try first: widely used ones, the own address, a handful of signs repeated. */
export function isTooCommon(password: string, email: string): boolean {
  const lower = password.toLowerCase();
  const [localPart = ''] = email.split('@');
  return (
    widelyUsed.has(lower) ||
    lower === email ||
    (localPart.length >= 8 && lower.startsWith(localPart) && lower.length < localPart.length + 4) ||
    new Set(lower).size < 5
  );
}
