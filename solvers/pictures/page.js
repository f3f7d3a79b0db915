'use strict';
// The page of one run: what the program has put into #data, as animation and curves that share one time.
(() => {
  const $ = id => document.getElementById(id);
  const data = JSON.parse($('data').textContent);
  const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer;
  const doubles = text => new Float64Array(bytes(text));
  const floats = text => new Float32Array(bytes(text));
  /// Whole numbers of three bytes, as shares of the largest one; the lowest one says that there is none.
  const shares = text => {
    const from = new Uint8Array(bytes(text)), largest = 8388607;
    return Float32Array.from({length: from.length / 3}, (_, k) => {
      const whole = (from[3 * k] << 8 | from[3 * k + 1] << 16 | from[3 * k + 2] << 24) >> 8;
      return whole < -largest ? NaN : whole / largest;
    });
  };

  const times = doubles(data.frames.t);
  const centres = doubles(data.frames.centre);  // the frame that the bodies' positions are measured from
  const scales = doubles(data.frames.scale);    // what positions of a frame are shares of
  const poses = shares(data.frames.poses);      // x y z and (qx qy qz) / (1 + qw), body after body, frame after frame
  const bodies = data.bodies.length;
  const moving = bodies + data.carriers;        // whose poses there are: behind the bodies what turns in their frames
  const begin = times[0], end = times[times.length - 1];
  let now = begin, playing = false, speed = 1, dirty = true;

  $('title').textContent = document.title = data.title;
  $('subtitle').textContent = data.subtitle;
  if (data.early) {
    $('early').hidden = false;
    $('early').textContent = data.early;
  }

  // ------------------------------------------------------------------------------------------------ poses in time

  /// The frame at or before a time, and how far the time is on the way to the next one.
  const placeOf = t => {
    let low = 0, high = times.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle; else high = middle;
    }
    if (times.length === 1) return [0, 0];
    if (t >= times[high]) return [high, 0];
    return [low, (t - times[low]) / (times[high] - times[low])];
  };

  const setAttitude = (q, offset) => {
    const [x, y, z] = poses.subarray(offset + 3, offset + 6), square = x * x + y * y + z * z, share = 2 / (1 + square);
    q.set(share * x, share * y, share * z, share - 1);
  };
  /// Position (double precision, in the ground) and attitude of a body; false where the run knows none.
  const q0 = new THREE.Quaternion(), q1 = new THREE.Quaternion();
  const poseAt = (body, [frame, part], position, attitude) => {
    const a = 6 * (frame * moving + body), b = part > 0 ? a + 6 * moving : a;
    const coordinate = (offset, k) => {
      const of = offset === a ? frame : frame + 1;
      return centres[3 * of + k] + scales[of] * poses[offset + k];
    };
    const at = k => part > 0 ? (1 - part) * coordinate(a, k) + part * coordinate(b, k) : coordinate(a, k);
    position.set(at(0), at(1), at(2));
    setAttitude(q0, a);
    attitude.copy(q0);
    if (part > 0) {
      setAttitude(q1, b);
      THREE.Quaternion.slerp(q0, q1, attitude, part);
    }
    return !isNaN(position.x + position.y + position.z + attitude.w);
  };

  // ------------------------------------------------------------------------------------------------ the mechanism

  const size = data.size;
  const colour = c => new THREE.Color(c[0], c[1], c[2]);
  const material = shape => new THREE.MeshLambertMaterial({
    color: colour(shape.colour), transparent: shape.opacity < 1, opacity: shape.opacity,
    side: shape.type === 'mesh' ? THREE.DoubleSide : THREE.FrontSide, depthWrite: shape.opacity >= 1});
  // Of many shapes none is so large that its corners are seen.
  const manyShapes = data.parts.reduce((sum, part) => sum + part.shapes.length, 0) > 100;
  const corners = count => manyShapes ? Math.ceil(count / 2) : count;
  const alongZ = geometry => geometry.rotateX(Math.PI / 2);
  const vectors = list => list.map(v => new THREE.Vector3(v[0], v[1], v[2]));

  const builders = {
    box: s => new THREE.Mesh(new THREE.BoxBufferGeometry(...s.size), material(s)),
    sphere: s => new THREE.Mesh(new THREE.SphereBufferGeometry(s.radius, corners(20), corners(14)), material(s)),
    cylinder: s => new THREE.Mesh(alongZ(new THREE.CylinderBufferGeometry(s.radius, s.radius, s.length, corners(24))),
                                  material(s)),
    capsule: s => {
      const group = new THREE.Group();
      group.add(builders.cylinder(s));
      for (const side of [-1, 1]) {
        const cap = builders.sphere(s);
        cap.position.z = side * s.length / 2;
        group.add(cap);
      }
      return group;
    },
    bar: s => {
      const mesh = new THREE.Mesh(alongZ(new THREE.CylinderBufferGeometry(s.radius, s.radius, 1, corners(10))), material(s));
      stretch(mesh, ...vectors([s.from, s.to]));
      return mesh;
    },
    polyline: s => {
      const geometry = new THREE.BufferGeometry().setFromPoints(vectors(s.points));
      const line = new THREE.LineBasicMaterial({color: colour(s.colour)});
      const object = s.closed ? new THREE.LineLoop(geometry, line) : new THREE.Line(geometry, line);
      geometry.computeBoundingSphere();
      object.userData.isAside = geometry.boundingSphere.radius > size;  // a track, on which the mechanism is small
      return object;
    },
    mesh: s => {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(floats(s.vertices), 3));
      geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(bytes(s.triangles)), 1));
      geometry.computeVertexNormals();
      return new THREE.Mesh(geometry, material(s));
    }};

  /// Puts what is one long along z between two points.
  const zAxis = new THREE.Vector3(0, 0, 1), direction = new THREE.Vector3();
  function stretch(object, a, b) {
    direction.subVectors(b, a);
    const length = direction.length();
    object.position.addVectors(a, b).multiplyScalar(0.5);
    object.scale.set(1, 1, Math.max(length, 1e-9 * size));
    if (length > 0) object.quaternion.setFromUnitVectors(zAxis, direction.divideScalar(length));
  }

  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0xf4f5f7);
  // Everything is drawn about a point near the mechanism, so that far from the origin nothing trembles.
  const origin = new THREE.Vector3(centres[0] || 0, centres[1] || 0, centres[2] || 0);
  const groups = [];
  for (let i = 0; i < moving; ++i) {
    groups.push(new THREE.Group());
    scene.add(groups[i]);
  }
  const ground = new THREE.Group();
  ground.position.copy(origin).negate();
  scene.add(ground);
  for (const part of data.parts)
    for (const shape of part.shapes) {
      const object = builders[shape.type](shape);
      const holder = new THREE.Group();
      holder.position.set(...shape.position);
      holder.quaternion.set(shape.orientation[1], shape.orientation[2], shape.orientation[3], shape.orientation[0]);
      holder.add(object);
      (part.body < 0 ? ground : groups[part.body]).add(holder);
    }

  const coil = () => {
    const points = [], turns = 7, radius = 0.022 * size;
    for (let i = 0; i <= turns * 12; ++i) {
      const s = i / (turns * 12), angle = 2 * Math.PI * turns * s;
      const r = s < 0.08 || s > 0.92 ? 0 : radius;
      points.push(new THREE.Vector3(r * Math.cos(angle), r * Math.sin(angle), s - 0.5));
    }
    return new THREE.BufferGeometry().setFromPoints(points);
  };
  const links = data.links.map(link => {
    const line = new THREE.LineBasicMaterial({color: colour(link.colour)});
    const ends = link.ends.map(() => new THREE.Vector3());
    let object;
    if (link.kind === 'bar')
      object = builders.bar({radius: 0.008 * size, from: [0, 0, 0], to: [0, 0, 1], colour: link.colour, opacity: 1});
    else if (link.kind === 'spring' && ends.length === 2)
      object = new THREE.Line(coil(), line);
    else
      object = new THREE.Line(new THREE.BufferGeometry().setFromPoints(ends), line);
    object.frustumCulled = false;
    scene.add(object);
    return {...link, object, points: ends, stretches: object.geometry.attributes.position.count !== ends.length};
  });
  const placeLink = link => {
    let known = true;
    link.ends.forEach(([body, x, y, z], k) => {
      const group = body < 0 ? ground : groups[body];
      known = known && group.visible;
      link.points[k].set(x, y, z).applyQuaternion(group.quaternion).add(group.position);
    });
    link.object.visible = known;
    if (!known) return;
    if (link.stretches) return stretch(link.object, link.points[0], link.points[1]);
    link.object.geometry.setFromPoints(link.points);
    link.object.geometry.attributes.position.needsUpdate = true;
  };

  // Arrows of forces and torques, as long as the usual one of their kind says: that of impacts would leave no more than
  // dots of all others.
  const shorts = text => new Int16Array(bytes(text));
  /// Along a vector, with one head or, as a torque is drawn, two.
  const straightArrow = (colour, heads) => {
    const object = new THREE.ArrowHelper(zAxis, new THREE.Vector3(), size, colour);
    const second = heads === 2 ? object.cone.clone() : null;
    if (second) object.add(second);
    const put = (vector, length) => {
      const head = Math.min(0.3 * length, 0.05 * size);
      object.setDirection(direction.copy(vector).normalize());
      object.setLength(length, head, 0.5 * head);
      if (!second) return;
      second.scale.copy(object.cone.scale);
      second.position.set(0, length - 0.8 * head, 0);
      second.updateMatrix();
    };
    return {object, put};
  };
  /// A torque in the plane: three quarters of a circle, the way it turns.
  const roundArrow = colour => {
    const points = [], parts = 36;
    for (let i = 0; i <= parts; ++i) {
      const angle = 1.5 * Math.PI * i / parts;
      points.push(new THREE.Vector3(Math.cos(angle), Math.sin(angle), 0));
    }
    const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineBasicMaterial({color: colour}));
    const head = new THREE.Mesh(new THREE.ConeBufferGeometry(0.12, 0.4, 12), new THREE.MeshBasicMaterial({color: colour}));
    head.position.set(0, -1, 0);
    head.rotation.z = -Math.PI / 2;
    const object = new THREE.Group();
    object.add(line, head);
    const put = (vector, length) => {
      const radius = 0.5 * length;
      object.scale.set(radius, vector.z < 0 ? -radius : radius, radius);
    };
    return {object, put};
  };
  const arrowColours = {forces: 0xc0392b, reactions: 0xb04a9c, torques: 0x16808a};
  const arrowsOf = (drawn, kind_of, make) => drawn.list.map(arrow => {
    const kind = kind_of(arrow), shape = make(arrowColours[kind]);
    shape.object.visible = false;
    for (const part of shape.object.children) {
      part.frustumCulled = false;
      part.userData.isAside = true;
      part.renderOrder = 1;  // over the bodies, inside of which arrows along them would be lost
      Object.assign(part.material, {depthTest: false, depthWrite: false, transparent: true});
    }
    scene.add(shape.object);
    return {...arrow, ...shape, kind, usual: drawn.usual, shares: shorts(arrow.shares), at: new THREE.Vector3(),
            vector: new THREE.Vector3()};
  });
  const arrows = [
    ...arrowsOf(data.forces, arrow => arrow.reaction ? 'reactions' : 'forces', colour => straightArrow(colour, 1)),
    ...arrowsOf(data.torques, () => 'torques', data.planar ? roundArrow : colour => straightArrow(colour, 2))];
  /// The force or torque at a time [N, N m]; false where the run knows none.
  const vectorAt = (arrow, [frame, part]) => {
    const component = k => {
      const a = arrow.shares[3 * frame + k], b = part > 0 ? arrow.shares[3 * frame + 3 + k] : a;
      return a === -32768 || b === -32768 ? NaN : arrow.unit * ((1 - part) * a + part * b);
    };
    arrow.vector.set(component(0), component(1), component(2));
    return !isNaN(arrow.vector.x);
  };
  const placeArrow = (arrow, place) => {
    const group = arrow.body < 0 ? ground : groups[arrow.body];
    const known = $(arrow.kind).checked && group.visible && vectorAt(arrow, place);
    const share = known ? Math.min(arrow.vector.length() / arrow.usual, 3) : 0;
    arrow.object.visible = share > 1e-3;
    if (!arrow.object.visible) return;
    arrow.at.set(...arrow.point).applyQuaternion(group.quaternion).add(group.position);
    arrow.object.position.copy(arrow.at);
    arrow.length = 0.2 * size * share * Number($('longer').value);
    arrow.put(arrow.vector, arrow.length);
  };

  const positions = groups.map(() => new THREE.Vector3());  // in the ground, double precision
  const attitude = new THREE.Quaternion();
  const placeBodies = () => {
    const place = placeOf(now);
    for (let i = 0; i < moving; ++i) {
      groups[i].visible = poseAt(i, place, positions[i], attitude);
      groups[i].position.subVectors(positions[i], origin);
      groups[i].quaternion.copy(attitude);
    }
    links.forEach(placeLink);
    arrows.forEach(arrow => placeArrow(arrow, place));
  };

  // Traces: the way of each body's origin, up to now.
  const most_traces = 40;
  const traces = [];
  const makeTraces = () => {
    const point = new THREE.Vector3(), turn = new THREE.Quaternion();
    for (let i = 0; i < Math.min(bodies, most_traces); ++i) {
      const points = [];
      for (let k = 0; k < times.length; ++k)
        if (poseAt(i, [k, 0], point, turn)) points.push(point.clone().sub(origin));
      const part = data.parts.find(p => p.body === i && p.shapes.length > 0);
      const line = new THREE.LineBasicMaterial({color: part ? colour(part.shapes[0].colour) : 0x888888});
      const trace = new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), line);
      trace.frustumCulled = false;
      scene.add(trace);
      traces.push(trace);
    }
  };

  // ------------------------------------------------------------------------------------------------ camera

  const view = $('view');
  let renderer = null, camera = null, controls = null, pixelRatios = null;
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  /// Where no graphics processor draws, smooth edges take as long as all else: they are for pictures at rest then, which
  /// have more points.
  const isDrawnBySoftware = () => {
    const gl = document.createElement('canvas').getContext('webgl');
    const named = gl && gl.getExtension('WEBGL_debug_renderer_info');
    return Boolean(named) && /swiftshader|llvmpipe|software/i.test(gl.getParameter(named.UNMASKED_RENDERER_WEBGL));
  };
  /// All that is seen over the run, unless it travels far beyond its own size: then where it begins.
  const extent = () => {
    const box = new THREE.Box3(), first = new THREE.Box3(), point = new THREE.Vector3();
    const step = Math.max(1, Math.floor(times.length / 200));
    for (let k = 0; k < times.length; k += step)
      for (let i = 0; i < bodies; ++i)
        if (poseAt(i, [k, 0], point, attitude)) {
          box.expandByPoint(point.sub(origin));
          if (k === 0) first.expandByPoint(point);
        }
    placeBodies();
    scene.updateMatrixWorld(true);
    scene.traverse(object => { if (object.geometry && !object.userData.isAside) first.expandByObject(object); });
    const travels = box.isEmpty() || box.getSize(new THREE.Vector3()).length() > 6 * size;
    if (!travels) first.union(box);
    if (first.isEmpty()) first.expandByScalar(size);
    return {box: first, travels};
  };
  const lookAtAll = () => {
    const {box, travels} = extent();
    const middle = box.getCenter(new THREE.Vector3());
    const radius = Math.max(0.5 * box.getSize(new THREE.Vector3()).length(), 1e-6 * size) * 1.05;
    controls.target.copy(middle);
    if (data.planar) {
      camera.position.copy(middle).add(new THREE.Vector3(0, 0, 10 * radius));
      camera.zoom = 1;
      camera.halfHeight = radius;
    } else {
      const up = camera.up, side = Math.abs(up.y) > 0.5 ? new THREE.Vector3(0.55, 0, 1) : new THREE.Vector3(0.55, -1, 0);
      const away = side.add(up.clone().multiplyScalar(0.5)).normalize();
      camera.position.copy(middle).add(away.multiplyScalar(radius / Math.sin(camera.fov * Math.PI / 360)));
    }
    camera.near = radius / 100;
    camera.far = 100 * Math.max(radius, size);
    if (travels && bodies > 0 && $('follow').value === '-1') $('follow').value = '0';
    resize();
    controls.update();
    followed = null;
    dirty = true;
  };
  const resize = () => {
    if (!renderer) return;
    const width = Math.max(view.clientWidth, 1), height = Math.max(view.clientHeight, 1);
    renderer.setSize(width, height);
    if (data.planar) {
      const high = camera.halfHeight * Math.max(1, height / width);
      camera.top = high, camera.bottom = -high, camera.right = high * width / height, camera.left = -camera.right;
    } else {
      camera.aspect = width / height;
    }
    camera.updateProjectionMatrix();
    dirty = true;
  };
  let followed = null;
  const followBody = () => {
    const body = Number($('follow').value);
    if (body < 0 || !groups[body].visible) {
      followed = null;
      return;
    }
    const at = groups[body].position;
    if (followed) {
      const way = at.clone().sub(followed);
      controls.target.add(way);
      camera.position.add(way);
    }
    followed = at.clone();
  };

  const startView = () => {
    if (bodies === 0 && data.parts.length === 0) {
      const text = document.createElement('p');
      text.textContent = 'This model is posed directly as equations: there are no bodies to draw.';
      return view.appendChild(text);
    }
    try {
      const bySoftware = isDrawnBySoftware();
      renderer = new THREE.WebGLRenderer({antialias: !bySoftware});
      pixelRatios = {moving: ratio, resting: bySoftware ? 2 : ratio};
    } catch (error) {
      const text = document.createElement('p');
      text.textContent = 'This browser has no WebGL, by which the mechanism is drawn; the curves are there without it.';
      return view.appendChild(text);
    }
    view.insertBefore(renderer.domElement, view.firstChild);
    renderer.setPixelRatio(pixelRatios.resting);
    if (data.planar) {
      camera = new THREE.OrthographicCamera(-1, 1, 1, -1);
    } else {
      camera = new THREE.PerspectiveCamera(35, 1);
      const up = new THREE.Vector3(...data.gravity).negate();
      camera.up.copy(up.length() > 0 ? up.normalize() : zAxis);
    }
    scene.add(new THREE.HemisphereLight(0xffffff, 0x8890a0, 0.75));
    const sun = new THREE.DirectionalLight(0xffffff, 0.55);
    sun.position.set(0.4, -0.6, 1);
    camera.add(sun);
    scene.add(camera);
    controls = new THREE.OrbitControls(camera, renderer.domElement);
    controls.addEventListener('change', () => { dirty = true; });
    if (data.planar) {
      controls.enableRotate = false;
      controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
    }
    lookAtAll();
    new ResizeObserver(resize).observe(view);
  };

  // ------------------------------------------------------------------------------------------------ curves

  const hues = ['#4e79a7', '#f28e2b', '#59a14f', '#e15759', '#76b7b2', '#b07aa1', '#9c755f', '#bab0ac', '#edc948'];
  const text_of = value => isNaN(value) ? 'not known' : Number(value).toPrecision(6);
  const charts = [];
  const most_shown = 6;  // curves of a chart that are visible at first
  const addChart = chart => {
    const box = document.createElement('div'), head = document.createElement('h2');
    const plot = document.createElement('div'), cursor = document.createElement('div');
    const legend = document.createElement('div');
    box.className = 'chart', plot.className = 'plot', cursor.className = 'cursor', legend.className = 'legend';
    head.textContent = chart.title;
    box.append(head, plot, cursor, legend);
    $('curves').append(box);
    const t = chart.t ? doubles(chart.t) : times;
    const values = chart.curves.map(curve => Float64Array.from(floats(curve.values), v => curve.offset + v));
    const shown = chart.logarithmic ? v => v > 0 && isFinite(v) : isFinite;
    const rows = Array.from(t, (time, k) => [time, ...values.map(v => shown(v[k]) ? v[k] : null)]);
    const alone = {strokeWidth: 0, drawPoints: true, pointSize: 3};  // points without a line
    const series = Object.fromEntries(chart.curves.map((curve, k) => ['c' + k, curve.points ? alone : {}]));
    const visibility = chart.curves.map((_, k) => k < most_shown);
    const graph = new Dygraph(plot, rows, {
      labels: ['t', ...chart.curves.map((_, k) => 'c' + k)], legend: 'never', visibility, series,
      connectSeparatedPoints: Boolean(chart.connected),
      colors: chart.curves.map((_, k) => hues[k % hues.length]), dateWindow: begin < end ? [begin, end] : null,
      logscale: Boolean(chart.logarithmic), drawPoints: t.length < 3 || Boolean(chart.marks), pointSize: 1.5,
      axes: {x: {axisLabelWidth: 60}, y: {axisLabelWidth: 60}}, gridLineColor: '#e4e6ea', axisLabelFontSize: 11,
      underlayCallback: (context, area, g) => {
        context.save();
        context.strokeStyle = '#c8a13a';
        context.setLineDash([4, 3]);
        for (const event of data.events) {
          const x = g.toDomXCoord(event.t);
          context.beginPath();
          context.moveTo(x, area.y);
          context.lineTo(x, area.y + area.h);
          context.stroke();
        }
        context.restore();
      },
      drawCallback: () => moveCursors(),
      clickCallback: (event, time) => seek(time)});
    const outputs = chart.curves.map((curve, k) => {
      const label = document.createElement('label'), check = document.createElement('input');
      const square = document.createElement('i'), output = document.createElement('output');
      check.type = 'checkbox';
      check.checked = visibility[k];
      check.addEventListener('change', () => graph.setVisibility(k, check.checked));
      square.style.background = hues[k % hues.length];
      label.append(check, square, curve.name, output);
      legend.append(label);
      return output;
    });
    charts.push({graph, cursor, plot, values, outputs, own: Boolean(chart.t)});
  };
  let lastRead = 0;
  const moveCursors = () => {
    const [frame, part] = placeOf(now), moment = performance.now();
    const readable = !playing || moment - lastRead > 100;  // [ms], for numbers that change faster than one reads
    if (readable) lastRead = moment;
    for (const chart of charts) {
      const area = chart.graph.getArea(), x = chart.graph.toDomXCoord(now);
      chart.cursor.hidden = !(x >= area.x && x <= area.x + area.w);
      chart.cursor.style.left = (chart.plot.offsetLeft + x) + 'px';
      chart.cursor.style.top = (chart.plot.offsetTop + area.y) + 'px';
      chart.cursor.style.height = area.h + 'px';
      if (chart.own || !readable) continue;
      chart.values.forEach((v, k) => {
        const value = part > 0 ? (1 - part) * v[frame] + part * v[frame + 1] : v[frame];
        chart.outputs[k].textContent = text_of(value);
      });
    }
  };

  // ------------------------------------------------------------------------------------------------ time

  const slider = $('slider');
  const show = () => {
    slider.value = end > begin ? 10000 * (now - begin) / (end - begin) : 0;
    $('clock').textContent = 't = ' + now.toPrecision(5) + ' s';
    placeBodies();
    for (const trace of traces) {
      trace.visible = $('traces').checked;
      trace.geometry.setDrawRange(0, placeOf(now)[0] + 1);
    }
    if (renderer) followBody();
    showNames();
    moveCursors();
    dirty = true;
  };
  function seek(t) {
    now = Math.min(Math.max(t, begin), end);
    show();
  }
  const play = on => {
    if (on && now >= end) now = begin;
    playing = on && end > begin;
    $('play').textContent = playing ? 'Pause' : 'Play';
    if (renderer) renderer.setPixelRatio(playing ? pixelRatios.moving : pixelRatios.resting);
    dirty = true;
  };
  const showNames = () => {
    const on = $('names').checked, label = $('label');
    label.hidden = !on;
    if (!on) return;
    const chosen = Number($('follow').value);
    const shown = chosen < 0 ? data.bodies.slice(0, 6).map((_, i) => i) : [chosen];
    label.textContent = shown.map(i =>
      data.bodies[i] + ': ' + [positions[i].x, positions[i].y, positions[i].z].map(text_of).join(', ') + ' m').join('; ');
  };

  slider.addEventListener('input', () => {
    play(false);
    seek(begin + (end - begin) * slider.value / 10000);
  });
  $('play').addEventListener('click', () => play(!playing));
  document.addEventListener('keydown', event => {
    if (event.key === ' ' && event.target === document.body) {
      event.preventDefault();
      play(!playing);
    }
  });
  // As fast as the motion is; a run of a moment takes ten seconds.
  const usual = end - begin >= 2 || end === begin ? 1 : (end - begin) / 10;
  for (const factor of [...new Set([0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, Number(usual.toPrecision(2))])]
         .sort((a, b) => a - b)) {
    const option = new Option('x ' + factor, factor);
    $('speed').add(option);
  }
  $('speed').value = speed = Number(usual.toPrecision(2));
  $('speed').addEventListener('change', () => { speed = Number($('speed').value); });
  $('follow').add(new Option('nothing', -1));
  data.bodies.forEach((name, i) => $('follow').add(new Option(name, i)));
  $('follow').addEventListener('change', () => { followed = null; show(); });
  $('traces').addEventListener('change', () => {
    if (traces.length === 0) makeTraces();
    show();
  });
  $('names').addEventListener('change', show);
  const switches = Object.keys(arrowColours).map(kind => [kind, arrows.some(arrow => arrow.kind === kind)]);
  for (const [id, has] of [...switches, ['longer', arrows.length > 0]]) {
    $(id).addEventListener('input', show);
    $(id).parentElement.hidden = !has;
  }
  $('home').addEventListener('click', () => { if (renderer) lookAtAll(); });

  if (data.graph) {
    $('graph').hidden = false;
    drawGraph(data.graph, $('graph'));
  }
  startView();
  data.charts.forEach(addChart);
  show();

  let last = null;
  const tick = moment => {
    if (playing && last !== null) {
      const next = now + speed * (moment - last) / 1000;
      seek(next);
      if (next >= end) play(false);
    }
    last = moment;
    if (renderer && dirty) renderer.render(scene, camera);
    dirty = false;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);

  // For tests, and for the curious at the console.
  window.linkwork = {
    seek, play, times,
    get now() { return now; },
    get playing() { return playing; },
    get charts() { return charts; },
    bodies: data.bodies,
    /// Where a body is drawn, from the origin of the ground [m].
    drawnAt: name => {
      const group = groups[data.bodies.indexOf(name)];
      scene.updateMatrixWorld();
      const drawn = new THREE.Vector3().setFromMatrixPosition(group.matrixWorld).add(origin);
      return [drawn.x, drawn.y, drawn.z];
    },
    /// What is drawn of an element, among 'forces', 'reactions' or 'torques', where it begins, how long it is meant and
    /// how large it is [N or N m, m]; null where none is to be seen.
    arrowOf: (name, kind) => {
      const arrow = arrows.find(a => a.name === name && a.kind === kind && a.object.visible);
      if (!arrow) return null;
      const from = arrow.object.position.clone().add(origin);
      const extent = new THREE.Box3().setFromObject(arrow.object).getSize(new THREE.Vector3()).length();
      return {vector: arrow.vector.toArray(), from: from.toArray(), length: arrow.length, extent};
    },
    arrowNames: kind => arrows.filter(a => a.kind === kind).map(a => a.name),
    size,
    picture: () => {
      if (!renderer) return '';
      renderer.render(scene, camera);
      return renderer.domElement.toDataURL();
    }};
})();
