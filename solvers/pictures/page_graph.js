'use strict';
// The graph of a mechanism: bodies below their fathers, tree edges solid, cuts dashed, forces dotted.
function drawGraph(graph, place) {
  const namespace = 'http://www.w3.org/2000/svg', across = 110, down = 70, widest = 14;
  const make = (tag, attributes, parent) => {
    const element = document.createElementNS(namespace, tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent.appendChild(element);
    return element;
  };
  const named = (element, text) => { make('title', {}, element).textContent = text; };

  // Fathers come before their sons. Leaves take places from left to right, others the middle of their sons.
  const nodes = graph.nodes.map(node => ({...node, sons: [], depth: 0, x: NaN}));
  nodes.forEach((node, label) => {
    if (label === 0) return;
    node.depth = nodes[node.father].depth + 1;
    nodes[node.father].sons.push(node);
  });
  let next = 0;
  const turn = [[nodes[0], 0]];
  while (turn.length > 0) {  // no recursion: chains are long
    const top = turn[turn.length - 1], [node, visited] = top;
    if (visited < node.sons.length) {
      ++top[1];
      turn.push([node.sons[visited], 0]);
    } else {
      node.x = node.sons.length === 0 ? next++ : (node.sons[0].x + node.sons[node.sons.length - 1].x) / 2;
      turn.pop();
    }
  }
  const deepest = nodes.reduce((most, node) => Math.max(most, node.depth), 0);
  const at = node => [across * (node.x + 0.5), down * (node.depth + 0.5)];
  const svg = make('svg', {viewBox: [0, 0, across * Math.max(next, 1), down * (deepest + 1)].join(' ')}, place);

  const between = {};  // edges of one pair of bodies lie beside each other
  for (const edge of graph.edges)
    for (let k = 1; k < edge.ends.length; ++k) {
      const [x0, y0] = at(nodes[edge.ends[0]]), [x1, y1] = at(nodes[edge.ends[k]]);
      const pair = [edge.ends[0], edge.ends[k]].sort((a, b) => a - b).join(' ');
      const count = between[pair] = (between[pair] || 0) + 1;
      const straight = edge.role === 'tree', aside = straight ? 0 : 16 * count + (Math.abs(y1 - y0) > down ? 20 : 0);
      const length = Math.hypot(x1 - x0, y1 - y0) || 1;
      const bend = [(x0 + x1) / 2 + aside * (y0 - y1) / length, (y0 + y1) / 2 + aside * (x1 - x0) / length];
      named(make('path', {class: edge.role, d: 'M' + x0 + ' ' + y0 + ' Q' + bend.join(' ') + ' ' + x1 + ' ' + y1}, svg),
            edge.name);
    }
  nodes.forEach((node, label) => {
    const [x, y] = at(node);
    const group = make('g', {class: 'node'}, svg);
    const shape = label === 0 ? 'rect' : 'ellipse';
    make(shape, label === 0 ? {x: x - 45, y: y - 14, width: 90, height: 28} : {cx: x, cy: y, rx: 48, ry: 14}, group);
    const text = make('text', {x, y: y + 4}, group);
    text.textContent = node.name.length > widest ? node.name.slice(0, widest - 1) + '\u2026' : node.name;
    named(group, node.name);
  });
}
