export const faults = [
  {
    breaks: 'An export that its person has lost access to is given to them',
    file: './export-attempt.ts',
    find: 'const { scope } = await exportingPerson(this.platform, row);',
    put: 'const scope = jobs.in(row.orgId);',
  },
  { breaks: 'Messages that were deleted are exported', file: './chat-reader.ts', find: '!gone.has(_id)', put: 'true' },
  {
    breaks: 'What a killed attempt has stored stays for ever',
    file: './export-eraser.ts',
    find: 'attempt <= row.attempts',
    put: 'attempt <= row.attempts && attempt === row.attempts',
  },
  {
    breaks: 'An export is read by a colleague',
    file: './exports.repository.ts',
    find: '{ _id: id, userId, isErasing: false }',
    put: '{ _id: id, isErasing: false }',
  },
];
