export const faults = [
  {
    breaks: "An answer in a project quotes sources that the person who asked can't read",
    find: 'project.connectionIds.filter((id) => readable.includes(id))',
    put: 'project.connectionIds',
  },
];
