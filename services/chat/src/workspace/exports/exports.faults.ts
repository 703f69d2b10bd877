export const faults = [
  {
    breaks: 'An export that its person has lost access to is given to them',
    file: './export-attempt.ts',
    find: 'const { scope } = await exportingPerson(this.platform, row);',
    put: 'const scope = jobs.in(row.orgId);',
  },
  {
    breaks: 'An export is read by a colleague',
    file: './exports.repository.ts',
    find: '{ _id: id, userId, isErasing: false }',
    put: '{ _id: id, isErasing: false }',
  },
];
